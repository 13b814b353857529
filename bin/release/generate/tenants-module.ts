import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadSeeds } from '../../../mock/seed/load.ts';
import { type TenantSeed, tenantFile } from '../../../mock/seed/schema.ts';
import { renderJsonSchema } from './json-schemas.ts';

/**
 * The TypeScript module that holds the packaged tenants as plain data, so that a mock with the default tenants loads
 * no YAML, no schema and no collections, and runs in a browser.
 */
export function renderTenants(seeds: readonly TenantSeed[]): string {
  return `// Generated from fixtures/*.yaml by bin/release/generate/tenants-module.ts; do not edit.
import type { TenantSeed } from '../../../mock/seed/schema.ts';

/** The packaged tenants. Shared by every mock of the process: only to be read. */
export const defaultSeeds: readonly TenantSeed[] = ${JSON.stringify(seeds, null, 2)};
`;
}

/** `tenant.schema.json`, with which editors complete fixture files, as text. */
export function renderTenantSchema(): string {
  return renderJsonSchema(tenantFile, 'A partnerkit fixture: one tenant of the mock.', { placeholders: false });
}

// Not import.meta.main: the oldest Node that this runs on does not have it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seeds = await loadSeeds(fileURLToPath(new URL('../../../fixtures/', import.meta.url)));
  await writeFile(new URL('../../../mock/seed/generated/tenants.ts', import.meta.url), renderTenants(seeds));
  await writeFile(new URL('../../../mock/seed/tenant.schema.json', import.meta.url), renderTenantSchema());
}
