import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, matchesGlob, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const json = (file: string) => JSON.parse(readFileSync(resolve(root, file), 'utf8'));
const manifest = json('package.json');

/** Every path of `dist/` that the manifest names. */
const named = (value: unknown): string[] => {
  if (typeof value === 'string') return value.includes('dist/') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(named) : [];
};

/** Where a built file comes from. */
const sources = (built: string) => {
  const path = built.replace(/^(?:\.\/)?dist\//, '');
  return [path, path.replace(/\.(?:d\.ts|c?js)$/, '.ts')];
};

/** Packages that the declarations of the public entries name: users need these, whatever is bundled. */
const declared = () => {
  const reports = globSync('bin/release/public-api/*.api.md', { cwd: root });
  const lines = reports.flatMap((file) => readFileSync(resolve(root, file), 'utf8').match(/^import .* from '.*';$/gm));
  return new Set(lines.flatMap((line) => /from '((?:@[^/]+\/)?[^/.']+)/.exec(line ?? '')?.[1] ?? []));
};

describe('the package', () => {
  it.each([...named(manifest.exports), ...named(manifest.bin)])('%s comes from a file that there is', (path) => {
    expect(sources(path).filter((source) => existsSync(resolve(root, source)))).not.toEqual([]);
  });

  it('has types for TypeScript whose moduleResolution is node, which does not read exports', () => {
    const { '.': whole, ...parts } = manifest.exports;
    const typed = Object.entries<{ types?: string }>(parts).filter(([, { types }]) => types !== undefined);
    expect(manifest.types).toBe(whole.types);
    expect(manifest.typesVersions['*']).toEqual(
      Object.fromEntries(typed.map(([n, { types }]) => [n.slice(2), [types]])),
    );
  });

  it('installs only packages that its declarations name', () => {
    const peers = Object.keys(manifest.peerDependencies);
    const named = [...declared()].filter((name) => !isBuiltin(name) && !peers.includes(name));
    expect(Object.keys(manifest.dependencies)).toEqual(named);
  });
});

/** Pages for those who work on partnerkit; they link to sources, which are in the repository. */
const forContributors = ['CONTRIBUTING.md', 'conformance/REFEREE.md'];

it('contains every file that its pages link to', () => {
  const { files }: { files: string[] } = manifest;
  const isPacked = (file: string) =>
    files.some((pattern) => matchesGlob(file, pattern) || file.startsWith(`${pattern}/`));
  const seen = new Set<string>();
  const missing: string[] = [];
  const follow = (page: string) => {
    if (seen.has(page)) return;
    seen.add(page);
    for (const [, link = ''] of readFileSync(resolve(root, page), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      const file = relative(root, resolve(root, dirname(page), link));
      if (!forContributors.includes(page) && !file.endsWith('.ts') && !isPacked(file)) missing.push(`${page}: ${file}`);
      else if (file.endsWith('.md')) follow(file);
    }
  };
  follow('README.md');
  expect(missing).toEqual([]);
  expect(seen).toContain('SECURITY.md');
});
