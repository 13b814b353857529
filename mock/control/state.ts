import { strictObject, z } from 'zod';
import { listOf } from '../../spec/files/list-of.ts';
import { yamlText } from '../../spec/text/yaml-text.ts';
import { count, given, named, route, sent, tenantFilter, text } from './control-route.ts';
import { journalSize } from './journal.ts';
import { servedOpenapi } from './served-openapi.ts';
import { targetOf } from './target-of.ts';

const snapshot = z
  .looseObject({
    version: z.literal(1),
    takenAt: z.iso.datetime(),
    clock: z.looseObject({}),
    tenants: listOf(z.looseObject({})),
    removed: listOf(text),
  })
  .meta(named('Snapshot', 'The whole state of the mock. Store and restore it; do not edit it.'));
const target = z
  .looseObject({ baseUrl: text, tenants: listOf(z.looseObject({})) })
  .meta(named('Target', 'A target file. Its schema is spec/files/target.schema.json.'));
const report = z
  .looseObject({})
  .nullable()
  .meta({ description: 'The report. Its schema is client-report.schema.json of the package.' });
const environment = z
  .record(text, text)
  .meta({ description: 'The variables that the client needs, as `partnerkit certify --watch` prints them.' });

const yesOrNo = z.enum(['true', 'false']).optional();

/** Tells editors where the JSON Schema is, if the file is saved beside the package.json of a project with this package. */
const schemaComment = '# yaml-language-server: $schema=node_modules/partnerkit/dist/spec/files/target.schema.json\n';

export const stateRoutes = [
  route('getMockHealth', 'GET /health', 'Check that the mock is up. Answers as soon as the mock accepts requests.', {
    reply: z.object({ status: z.literal('ok'), tenants: count, journal: journalSize }),
    run: ({ mock }) => ({ status: 'ok', tenants: mock.tenants.size, journal: mock.journal.size }),
  }),
  route(
    'getClientReport',
    'GET /client',
    'Read the report on the client. The report of `partnerkit certify --watch` on all requests so far. Null if the mock was started in another way.',
    {
      reply: z.object({ report, environment }),
      run: (call) => ({ report: call.client?.() ?? null, environment: call.environment?.() ?? {} }),
    },
  ),
  route(
    'getContract',
    'GET /openapi.json',
    'Read the contract of the API. The OpenAPI document of the mocked API, with ids of a tenant, by default the first, as examples.',
    {
      query: tenantFilter,
      reply: z.looseObject({ openapi: text, info: z.looseObject({}), paths: z.looseObject({}) }),
      run: ({ mock, baseUrl, query }) => servedOpenapi(mock, baseUrl, query.tenant),
    },
  ),
  route(
    'getTarget',
    'GET /target',
    'Read the target file of this mock. Describes the mock to the conformance runner and the load scripts. It contains the secrets of fixture files, which are documented fakes. For all other secrets it names environment variables.',
    {
      reply: { 'application/json': target, 'application/yaml': null },
      query: strictObject({
        format: z.enum(['yaml', 'json']).optional().meta({ description: 'YAML by default.' }),
        copies: yesOrNo.meta({
          description: 'Whether copied tenants are described too. Only who created one has its secrets.',
        }),
      }),
      run({ mock, baseUrl, query: { copies, format }, response }) {
        const described = targetOf(mock, baseUrl, copies === 'true');
        if (format === 'json') return described;
        response.type('application/yaml').send(`${schemaComment}${yamlText(described)}`);
        return sent;
      },
    },
  ),
  route(
    'reset',
    'POST /reset',
    'Reset to the seeds. Resets keys, buckets, labels and files of one tenant. Without a tenant it resets the whole mock, with copied tenants, faults, journal and clock.',
    {
      body: strictObject({ tenant: given.optional() }),
      refusals: [404],
      run: ({ mock, body }) => mock.reset(body.tenant),
    },
  ),
  route(
    'takeSnapshot',
    'GET /snapshot',
    'Take a snapshot. The whole state as JSON, with the bytes of files (64 MiB at most) unless `content=false`.',
    {
      query: strictObject({ content: yesOrNo.meta({ description: 'Whether the snapshot has the bytes of files.' }) }),
      reply: snapshot,
      refusals: [409],
      run: ({ mock, query }) => mock.snapshot({ content: query.content !== 'false' }),
    },
  ),
  route('restoreSnapshot', 'POST /restore', 'Restore a snapshot. If the snapshot has a mistake, nothing changes.', {
    // The mock checks the snapshot itself, against its seeds too.
    body: snapshot.catch(({ value }) => value as never),
    refusals: [413],
    run: ({ mock, body }) => mock.restore(body, 'body'),
  }),
];
