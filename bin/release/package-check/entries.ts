import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';

/** The peer that an entry needs. Entries for vitest can be imported only in its tests. */
const peers: Readonly<Record<string, string>> = {
  './msw': 'msw',
  './conformance/vitest': 'vitest',
  './vitest': 'vitest',
  './playwright': '@playwright/test',
};

/**
 * Imports every entry of `exports` from an ES module and from CommonJS, and resolves the entries that are files.
 * @param installed the peers of the project
 * @returns the entries that were imported
 * @throws Error with the entry that cannot be imported
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
