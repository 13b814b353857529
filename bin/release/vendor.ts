import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/**
 * Packages that travel inside the built one. Installed beside it they would be most of its size: @msw/data brings all of
 * es-toolkit (19 MB) and needs a few functions of it.
 */
export const vendored: readonly string[] = ['@msw/data', 'fflate', '@modelcontextprotocol/sdk'];

/** What is imported of a vendored package, where that is not its root. */
const modules: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/sdk': ['@modelcontextprotocol/sdk/server/mcp.js', '@modelcontextprotocol/sdk/server/stdio.js'],
};

/** Puts each vendored package into `vendor/` below the built files and lets their imports point there. */
export async function vendor(dist: string): Promise<void> {
  for (const name of vendored.flatMap((each) => modules[each] ?? [each])) {
    const outfile = join(dist, 'vendor', `${name.replace(/^@|\.js$/g, '').replaceAll('/', '-')}.js`);
    const { metafile } = await build({
      stdin: { contents: `export * from '${name}';`, resolveDir: import.meta.dirname },
      bundle: true,
      // It comes with the package anyway.
      external: ['zod'],
      format: 'esm',
      platform: 'node',
      target: 'node22',
      metafile: true,
      outfile,
      logLevel: 'error',
    });
    const packages = packagesIn(Object.keys(metafile.inputs));
    writeFileSync(`${outfile}.LICENSE.txt`, packages.map(licenceOf).join('\n\n'));
    for (const file of globSync('**/*.js', { cwd: dist }).filter((path) => !path.startsWith('vendor'))) {
      const text = readFileSync(join(dist, file), 'utf8');
      if (!text.includes(`from '${name}'`)) continue;
      const specifier = relative(dirname(join(dist, file)), outfile)
        .split(sep)
        .join('/');
      writeFileSync(join(dist, file), text.replaceAll(`from '${name}'`, `from '${specifier}'`));
    }
  }
}

/** The folders of the packages that a bundle took files of. */
function packagesIn(inputs: readonly string[]): string[] {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** Name, version and licence text, which have to stay with the code. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('LICEN[CS]E*', { cwd: folder });
  return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8')}`;
}
