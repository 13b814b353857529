import { cpSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import sbom from 'rollup-plugin-sbom';
import { build, type Rolldown } from 'vite';
import { root } from './programs.ts';
import { tsc } from './tsc.ts';

/**
 * Bundles everything that ships, with its dependencies: the entries of the library as ES modules, the command as CommonJS, which Node starts
 * faster, and the script that k6 runs. Beside the bundles are their licences and a CycloneDX SBOM.
 */

export const parts = ['spec', 'mock', 'conformance', 'load', 'fidelity', 'bin', 'fixtures'];
/** The console is a page of its own, which Vite puts into `dist/`; the pytest plugin is a package of its own. */
export const notShipped = ['node_modules', 'console', 'python', 'proof', 'release'];

/** Packages of the user's project. The project and partnerkit must use the same copy. */
const external = ['msw', 'vitest', '@playwright/test'];

const { exports, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const library = [...JSON.stringify(exports).matchAll(/dist\/([^"]*)\.js"/g)].map(([, path = '']) => path);

/** Modules that every start of the mock, in a browser or in Node, or of the command needs: one file is read faster than thirty. */
const wholes = {
  library: { 'in-process': ['mock/in-process.ts', 'mock/adapters/real-timers.ts'], mock: ['mock/index.ts'] },
  command: {
    main: ['bin/main.ts'],
    mock: ['bin/commands/mock.ts', 'mock/adapters/create-served-mock.ts', 'bin/describe-mock.ts'],
  },
};

/** @param dist where to write */
export async function bundle(dist: string): Promise<void> {
  for (const part of parts)
    cpSync(join(root, part), join(dist, part), {
      recursive: true,
      filter: (path) => !notShipped.includes(basename(path)) && !/(?<!\.d)\.[jt]sx?$|\.md$/.test(path),
    });
  await write(dist, 'library', library, { format: 'es', codeSplitting: into(wholes.library) });
  await write(dist, 'command', ['bin/partnerkit'], {
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name].cjs',
    codeSplitting: into(wholes.command),
  });
  await write(dist, 'k6', ['load/k6/main'], { format: 'es', codeSplitting: false });
}

/** A chunk for each whole, with what is needed at its start. */
function into(wholes: Readonly<Record<string, readonly string[]>>): Rolldown.CodeSplittingOptions {
  const reached = new Map<string, Set<string>>();
  const name: Rolldown.CodeSplittingNameFunction = (module, bundling) => {
    if (reached.size === 0)
      for (const [name, starts] of Object.entries(wholes)) {
        const ids = new Set(starts.map((start) => join(root, start)));
        for (const id of ids) for (const imported of bundling.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
        reached.set(name, ids);
      }
    return [...reached.keys()].find((name) => reached.get(name)?.has(module)) ?? null;
  };
  return { includeDependenciesRecursively: false, groups: [{ debugName: 'wholes', name }] };
}

function write(dist: string, name: string, entries: readonly string[], output: Rolldown.OutputOptions) {
  return build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [sbom({ outDir: 'sbom', outFilename: name, outFormats: ['json'], includeWellKnown: false })],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      target: engines.node.replace('>=', 'node'),
      license: { fileName: `licenses/${name}.md` },
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
        external: /^k6(?:\/|$)/,
        preserveEntrySignatures: 'allow-extension',
        // No getter in our dependencies has side effects, so unused parts of zod can be removed.
        treeshake: { propertyReadSideEffects: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
          comments: { jsdoc: false },
          ...output,
        },
      },
    },
  });
}

// `npm run build`: everything that ships goes into `dist/`, with the declarations of the public entries.
if (import.meta.main) {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  tsc(root, ['-p', 'tsconfig.build.json', '--emitDeclarationOnly']);
  await bundle(dist);
}
