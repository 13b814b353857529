import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { TenantSeed } from './schema.ts';

/** The extension of files that `partnerkit fixtures --conversations` writes. */
export const generatedTenantSuffix = '.tenant.jsonl';

/**
 * Reads tenants from YAML or JSON files, one tenant per file, in the order of their names.
 *
 * @param path a file, or a folder of `*.yaml`, `*.yml`, `*.json` and generated `*.tenant.jsonl` files. Hidden files, `*.target.*` and
 *   `*.profile.*` are ignored, and `*.schema.json`, which editors read
 * @throws ConfigurationError with every problem of every file
 */
export async function loadSeeds(path: string): Promise<TenantSeed[]> {
  const problems: string[] = [];
  const tenants: { readonly where: string; readonly seed: TenantSeed }[] = [];
  for (const file of await tenantFiles(path)) {
    try {
      tenants.push({ where: file, seed: await readSeed(file) });
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
    }
  }
  problems.push(...tenantsProblems(tenants));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return tenants.map(({ seed }) => seed);
}

/**
 * Conflicts between tenants: two with the same name, or a secret in two tenants (a key belongs to one tenant). Records of different
 * tenants may have the same id.
 */
function tenantsProblems(tenants: readonly { readonly where: string; readonly seed: TenantSeed }[]): string[] {
  const problems: string[] = [];
  const nameAt = new Map<string, string>();
  const keyOf = new Map<string, string>();
  for (const { where, seed } of tenants) {
    const other = nameAt.get(seed.tenant);
    if (other !== undefined)
      problems.push(`${where}: tenant: "${seed.tenant}" is already the tenant of ${other}; rename one`);
    nameAt.set(seed.tenant, other ?? where);
    for (const [index, { name, secret }] of seed.keys.entries()) {
      const key = keyOf.get(secret);
      if (key !== undefined) problems.push(`${where}: keys[${index}].secret: this secret is already used by ${key}`);
      keyOf.set(secret, key ?? `key "${name}" of ${seed.tenant}`);
    }
  }
  return problems;
}

async function readSeed(file: string): Promise<TenantSeed> {
  if (file.endsWith(generatedTenantSuffix)) return (await import('./generated-tenant.ts')).readGeneratedTenant(file);
  // Generated tenants need neither the YAML parser nor the schemas, so these are loaded only here.
  const [{ readYamlFile }, { seedFromDocument }] = await Promise.all([
    import('../../spec/files/read-file.ts'),
    import('./seed-from-document.ts'),
  ]);
  return seedFromDocument(readYamlFile(file), file);
}

/** The files of a path in which tenants are, in the order of their names. @throws ConfigurationError if there are none */
export async function tenantFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'no such file or folder' : error.message;
    throw new ConfigurationError([`${path}: ${reason}; give a tenant file (*.yaml, *.json) or a folder of them`]);
  });
  if (!found.isDirectory()) return [path];

  const entries = await readdir(path, { withFileTypes: true });
  const files = entries.flatMap((entry) => (!entry.isDirectory() && isTenantFile(entry.name) ? entry.name : [])).sort();
  if (files.length === 0)
    throw new ConfigurationError([`${path}: no tenants found; put one or more tenant files (*.yaml, *.json) there`]);
  return files.map((name) => join(path, name));
}

const isTenantFile = (name: string) =>
  (name.endsWith(generatedTenantSuffix) || /\.(yaml|yml|json)$/.test(name)) &&
  !/\.(target|profile|schema)\.[^.]+$/.test(name) &&
  !name.startsWith('.');
