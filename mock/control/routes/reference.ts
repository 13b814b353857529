import { yamlText } from '../../../spec/text/yaml-text.ts';
import { route, sent } from '../control-route.ts';
import { targetQuery } from '../schemas.ts';
import { servedOpenapiWithUpload } from '../served-openapi.ts';
import { targetOf } from '../target-of.ts';

/** Tells editors where the JSON Schema is, if the file is saved beside the package.json of a project with this package. */
const schemaComment = '# yaml-language-server: $schema=node_modules/partnerkit/dist/spec/files/target.schema.json\n';

export const referenceRoutes = [
  route({
    method: 'get',
    path: '/health',

    run: ({ mock }) => ({ status: 'ok', tenants: mock.tenants.size, journal: mock.journal.size }),
  }),
  route({ method: 'get', path: '/client', run: ({ client }) => ({ report: client?.() ?? null }) }),
  route({ method: 'get', path: '/openapi.json', run: ({ mock, baseUrl }) => servedOpenapiWithUpload(mock, baseUrl) }),
  route({
    method: 'get',
    path: '/target',
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
  }),
];
