import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { reportSchema } from '../../../conformance/reports/report-schema.ts';
import { loadReportSchema } from '../../../load/report/report-schema.ts';
import { loadSeeds } from '../../../mock/seed/load.ts';
import { type TenantSeed, tenantFile } from '../../../mock/seed/schema.ts';
import { profileSchema } from '../../../spec/files/profile-schema.ts';
import { targetSchema } from '../../../spec/files/target.ts';
import { waiversSchema } from '../../../spec/files/waivers.ts';
import { clientReportSchema } from '../../certify/report/client-report.ts';
import { renderControlDocument } from './control-document.ts';
import type { Files } from './from-contract.ts';

/** The files that are generated from schemas and fixtures: JSON Schemas, the packaged tenants. */
export async function fromSchemas(): Promise<Files> {
  const target = editorSchema(targetSchema, 'A partnerkit target: one deployment of the partner API.');
  const profile = editorSchema(profileSchema, 'A partnerkit profile: how one deployment fills what is left open.');
  const waivers = editorSchema(waiversSchema, 'partnerkit waivers: failures that are excused until a date.');
  const tenant = jsonSchema(tenantFile, 'A partnerkit fixture: one tenant of the mock.', 'input');
  const seeds = await loadSeeds(fileURLToPath(new URL('../../../fixtures/', import.meta.url)));
  return new Map([
    ['spec/files/target.schema.json', target],
    ['spec/files/profile.schema.json', profile],
    ['spec/files/waivers.schema.json', waivers],
    ['mock/seed/tenant.schema.json', tenant],
    ['mock/control/openapi.yaml', renderControlDocument()],
    [
      'conformance/reports/report.schema.json',
      jsonSchema(reportSchema, 'A report of partnerkit conformance run, version 1.'),
    ],
    [
      'bin/certify/report/client-report.schema.json',
      jsonSchema(clientReportSchema, 'A report of partnerkit certify, version 1.'),
    ],
    ['load/report.schema.json', jsonSchema(loadReportSchema, 'A report of partnerkit load, version 1.')],
    ['mock/seed/generated/tenants.ts', renderTenants(seeds)],
  ]);
}

/**
 * The TypeScript module with the packaged tenants as plain data. So a mock with the default tenants loads
 * no YAML parser, schemas or collections, and runs in a browser.
 */
const renderTenants = (
  seeds: readonly TenantSeed[],
) => `// Generated from fixtures/*.yaml by npm run generate; do not edit.
import type { TenantSeed } from '../schema.ts';

/** The packaged tenants. All mocks of the process share them, so they must not be changed. */
export const defaultSeeds: readonly TenantSeed[] = ${JSON.stringify(seeds, null, 2)};

/** The SHA-256 of each secret of theirs: to work them out would be a tenth of a start. */
export const defaultHashes: ReadonlyMap<string, string> = new Map(${JSON.stringify(hashesOf(seeds), null, 2)});
`;

const hashesOf = (seeds: readonly TenantSeed[]) =>
  seeds.flatMap(({ keys }) => keys.map(({ secret }) => [secret, createHash('sha256').update(secret).digest('hex')]));

/**
 * The text of the JSON Schema for a zod schema.
 * @param io whether it describes a value as people write it (`input`) or with its defaults
 */
export function jsonSchema(
  schema: z.ZodType,
  title: string,
  io: 'input' | 'output' = 'output',
  override?: z.core.ToJSONSchemaParams['override'],
): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, override });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

/** The same for a file with `${NAME}`, which editors see before it is replaced. */
export function editorSchema(schema: z.ZodType, title: string): string {
  return jsonSchema(schema, title, 'input', ({ jsonSchema: part }) => {
    if (part.pattern === undefined) return;
    // A schema that is used twice is visited twice.
    if (!part.pattern.endsWith(placeholder)) part.pattern += placeholder;
    delete part.format;
  });
}

const placeholder = '|\\$\\{[A-Za-z_]\\w*\\}';
