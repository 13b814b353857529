import { fileURLToPath } from 'node:url';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

/**
 * Compiles the schemas of `ajv` and bundles them, with the code that they need at run time, into one ES module
 * that imports nothing and does not evaluate strings. So it runs under a strict content security policy.
 * @param exports the ids of the schemas; each must also be an identifier
 * @param index source lines that export values built from these identifiers
 */
export async function bundleValidators(ajv: Ajv2020, exports: ReadonlySet<string>, index: string): Promise<string> {
  const result = await build({
    stdin: {
      contents: `import { ${[...exports].join(', ')} } from 'compiled';\n${index}`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    plugins: [
      {
        name: 'compiled',
        setup(plugins) {
          plugins.onResolve({ filter: /^compiled$/ }, () => ({ path: 'compiled', namespace: 'compiled' }));
          plugins.onLoad({ filter: /.*/, namespace: 'compiled' }, () => ({
            contents: standaloneCode.default(ajv, Object.fromEntries([...exports].map((name) => [name, name]))),
            resolveDir: fileURLToPath(new URL('..', import.meta.url)),
          }));
        },
      },
    ],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2022',
    // Comments and names would contain the paths of node_modules, which differ between machines.
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('esbuild gave no output for the validators; look at its messages above');
  return `// Generated from spec/openapi.yaml by \`npm run generate\`. Do not edit.\n${output.text}`;
}
