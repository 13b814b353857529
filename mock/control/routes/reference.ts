import { yamlText } from '../../../spec/text/yaml-text.ts';
import { route, sent } from '../control-route.ts';
import * as replies from '../replies.ts';
import { targetQuery } from '../schemas.ts';
import { servedOpenapiWithUpload } from '../served-openapi.ts';
import { targetOf } from '../target-of.ts';

/** Tells editors where the JSON Schema is, if the file is saved beside the package.json of a project with this package. */
const schemaComment = '# yaml-language-server: $schema=node_modules/partnerkit/dist/spec/files/target.schema.json\n';

export const referenceRoutes = [
  route('getMockHealth', 'GET /health', 'Check that the mock is up. Answers as soon as the mock accepts requests.', {
    reply: replies.health,
    run: ({ mock }) => ({ status: 'ok', tenants: mock.tenants.size, journal: mock.journal.size }),
  }),
  route(
    'getClientReport',
    'GET /client',
    'Read the report on the client. The report of `partnerkit certify --watch` on all requests so far. Null if the mock was started in another way.',
    { reply: replies.clientReport, run: ({ client }) => ({ report: client?.() ?? null }) },
  ),
  route('getContract', 'GET /openapi.json', 'Read the contract of the API. The OpenAPI document of the mocked API.', {
    reply: replies.contract,
    run: ({ mock, baseUrl }) => servedOpenapiWithUpload(mock, baseUrl),
  }),
  route(
    'getTarget',
    'GET /target',
    'Read the target file of this mock. Describes the mock to the conformance runner and the load scripts. It contains the secrets of fixture files, which are documented fakes. For all other secrets it names environment variables.',
    {
      reply: { 'application/json': replies.target, 'application/yaml': null },
      query: targetQuery,
      run({ mock, baseUrl, query, request, response }) {
        const target = targetOf(mock, baseUrl, query.copies === 'true');
        const format =
          query.format ??
          (request.accepts(['application/yaml', 'application/json']) === 'application/json' ? 'json' : 'yaml');
        if (format === 'json') return target;
        response.type('application/yaml').send(`${schemaComment}${yamlText(target)}`);
        return sent;
      },
    },
  ),
];
