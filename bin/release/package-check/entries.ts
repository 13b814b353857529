import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';

/** What an entry needs that a project without its peer does not have; those of vitest can be imported by its tests alone. */
const peers: Readonly<Record<string, string>> = {
  './msw': 'msw',
  './conformance/vitest': 'vitest',
  './vitest': 'vitest',
  './playwright': '@playwright/test',
};

/**
 * Imports every entry of `exports` from an ES module and from CommonJS, and resolves those that are files.
 * @param installed names of peers that the project has
 * @returns the entries that were imported
 * @throws Error naming the entry that cannot be imported
 */
export async function importEntries(
  project: string,
  env: NodeJS.ProcessEnv,
  installed: readonly string[] = [],
): Promise<string[]> {
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/partnerkit/package.json'), 'utf8'));
  const entries = Object.keys(manifest.exports).filter((entry) => {
    const peer = peers[entry];
    return peer === undefined || installed.includes(peer);
  });
  const specifiers = entries.map((entry) => entry.replace('.', 'partnerkit'));
  const files = specifiers.filter((specifier) => /\.(?:ya?ml|json)$/.test(specifier));
  const modules = specifiers.filter((specifier) => !files.includes(specifier));
  const body = `
    for (const name of ${JSON.stringify(modules)}) {
      try { await import(name); } catch (error) { throw new Error(name + ': ' + error.stack); }
    }`;
  writeFileSync(
    join(project, 'entries.mjs'),
    `${body}\nfor (const f of ${JSON.stringify(files)}) import.meta.resolve(f);`,
  );
  writeFileSync(
    join(project, 'entries.cjs'),
    `(async () => {${body}
      for (const f of ${JSON.stringify(files)}) require('node:fs').readFileSync(require.resolve(f));
    })().catch((error) => { console.error(error); process.exitCode = 1; });`,
  );
  for (const file of ['entries.mjs', 'entries.cjs']) await runCommand('node', [file], { cwd: project, env });
  return specifiers;
}
