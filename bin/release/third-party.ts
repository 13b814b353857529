import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, matchesGlob, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** A dependency from the lock file. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The text of its licence; null if it contains none. */
  readonly text: string | null;
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Dependencies that are needed of packages that are used only in part: of this one neither the client nor the HTTP server. */
const partly: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/sdk': ['ajv', 'ajv-formats', 'zod-to-json-schema'],
};

/** These packages and all packages that they need at run time, by name. */
function closure(names: readonly string[]): ThirdParty[] {
  const locked: Readonly<Record<string, Locked>> = json('package-lock.json').packages;
  const places = new Set<string>();
  const add = (name: string, from: string) => {
    // Searched as Node does: first in the package that needs it, then further up.
    const parts = from === '' ? [] : from.split('/node_modules/');
    const outward = parts.map(
      (_, i) => `${parts.slice(0, parts.length - i).join('/node_modules/')}/node_modules/${name}`,
    );
    const place = [...outward, `node_modules/${name}`].find((candidate) => candidate in locked);
    if (place === undefined || places.has(place)) return;
    places.add(place);
    for (const needed of partly[name] ?? Object.keys(locked[place]?.dependencies ?? {})) add(needed, place);
  };
  for (const name of names) add(name, '');
  return [...places].map(describe).sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function describe(place: string): ThirdParty {
  const { name, version, license } = json(`${place}/package.json`);
  const [file] = readdirSync(join(root, place))
    .filter((name) => /^licen[cs]e/i.test(name))
    .sort();
  const text = file === undefined ? null : readFileSync(join(root, place, file), 'utf8').trim();
  return { name, version, license, text };
}

/** The packages in the bundle of the console. */
function bundledInPage(): string[] {
  const files = globSync('mock/console/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.*', '**/browser.ts', '**/dist/**'],
  });
  const names = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /^import (?!type )[^;]*?'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?';/gm,
      ),
    ].map(([, name]) => name ?? ''),
  );
  return [...new Set(names)].filter(
    (name) => name in { ...manifest.devDependencies, ...manifest.dependencies } && !/^vite|playwright/.test(name),
  );
}

const manifest = json('package.json');
const { exclude }: { exclude: readonly string[] } = json('tsconfig.build.json');

/** The sources of the package. */
export const published: readonly string[] = globSync('{spec,mock,conformance,load,bin,fixtures}/**/*.ts', {
  cwd: root,
}).filter((file) => !exclude.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`)));

/** The packages that a source needs at run time. Imports of types need none. */
export const packagesOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*? from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm,
    ),
  ]
    .map(([, statement, call]) => statement ?? call ?? '')
    .filter((specifier) => !isBuiltin(specifier) && !specifier.startsWith('k6'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );

/** Packages that are bundled into the package. */
export const bundled: readonly string[] = [...new Set(published.flatMap(packagesOf))]
  .filter((name) => !(name in manifest.peerDependencies))
  .sort();

/** Packages that are installed with the package. */
export const installed = (): ThirdParty[] => closure(Object.keys(manifest.dependencies));

/** The bundled packages, whose licences must be in the package as well. */
export const within = (): ThirdParty[] => closure([...bundled, ...bundledInPage()]);

const table = (all: readonly ThirdParty[]) =>
  [
    '| package | version | licence |',
    '|---|---|---|',
    ...all.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
  ].join('\n');

/** The text of THIRD-PARTY.md. */
export function renderThirdParty(): string {
  const inside = within();
  const texts = inside.map(
    ({ name, version, license, text }) => `### ${name} ${version}\n\n\`\`\`text\n${text ?? license}\n\`\`\``,
  );
  return `# Third-party code

Written by \`node bin/release/third-party.ts\`; a test keeps it current.

## Installed with the package

${table(installed())}

## Within the package

${table(inside)}

${texts.join('\n\n')}
`;
}

if (import.meta.main) writeFileSync(join(root, 'THIRD-PARTY.md'), renderThirdParty());
