import { z } from 'zod';
import { collectionFile } from '../collections/formats.ts';
import { route, sent } from '../control-route.ts';
import { tenantFilter } from '../schemas.ts';

export const collectionRoutes = [
  route(
    'getCollection',
    'GET /collections/{format}',
    'Download requests for an API client. All operations with the address, ids and documented fake keys of a tenant, by default the first one. The file is a Postman collection (`postman`), a Bruno folder as zip archive (`bruno`) or an `.http` file (`http`).',
    {
      query: tenantFilter,
      reply: { 'application/json': z.looseObject({}), 'application/zip': null, 'text/plain': null },
      run({ mock, baseUrl, query, param, response }) {
        const { type, fileName, content } = collectionFile(mock, baseUrl, param('format'), query.tenant);
        response
          .attachment(fileName)
          // Set after `attachment`, which would derive a less exact type from the file name.
          .type(type)
          .send(typeof content === 'string' ? content : Buffer.from(content));
        return sent;
      },
    },
  ),
];
