import { fileURLToPath } from 'node:url';
import { reportSchema } from '../../../conformance/reports/report-schema.ts';
import { loadReportSchema } from '../../../load/report/report-schema.ts';
import { loadSeeds } from '../../../mock/seed/load.ts';
import { tenantFile } from '../../../mock/seed/schema.ts';
import { profileSchema } from '../../../spec/files/profile-schema.ts';
import { targetSchema } from '../../../spec/files/target.ts';
import { waiversSchema } from '../../../spec/files/waivers.ts';
import { clientReportSchema } from '../../certify/report/client-report-schema.ts';
import { renderControlDocument } from './control-document.ts';
import type { Files } from './from-contract.ts';
import { editorSchema, jsonSchema } from './json-schema.ts';
import { renderPythonRecords } from './python-records.ts';
import { renderTenants } from './tenants-module.ts';

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
    ['mock/python/partnerkit_pytest/generated/records.py', renderPythonRecords()],
    ['mock/seed/generated/tenants.ts', renderTenants(seeds)],
  ]);
}
