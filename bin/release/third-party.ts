import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { vendored } from './vendor.ts';

const root = resolve(import.meta.dirname, '../..');
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** A package of somebody else's, as the lock file has it. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Its licence in full; null where it ships none. */
  readonly text: string | null;
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** What is needed of packages that are not needed as a whole: of this one no client, and no server over HTTP. */
const partly: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/sdk': ['ajv', 'ajv-formats', 'zod-to-json-schema'],
};

/** Everything that these packages need when they run, themselves included, by name. */
function closure(names: readonly string[]): ThirdParty[] {
  const locked: Readonly<Record<string, Locked>> = json('package-lock.json').packages;
  const places = new Set<string>();
  const add = (name: string, from: string) => {
    // As Node looks it up: beside the one who asks first, then further out.
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

/** Packages that the console's page is bundled with. */
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
  const { devDependencies, dependencies } = json('package.json');
  return [...new Set(names)].filter(
    (name) => name in { ...devDependencies, ...dependencies } && !/^vite|playwright/.test(name),
  );
}

/** What is installed with the package. */
export const installed = (): ThirdParty[] => closure(Object.keys(json('package.json').dependencies));

/** What travels within the package: bundled, so that its licences have to travel too. */
export const within = (): ThirdParty[] => closure([...vendored, ...bundledInPage()]);

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
