import { collectionFile } from '../collections/formats.ts';
import { route, sent } from '../control-route.ts';
import { tenantFilter } from '../schemas.ts';

export const collectionRoutes = [
  route({
    method: 'get',
    path: '/collections/{format}',
    query: tenantFilter,
    run({ mock, baseUrl, query, param, response }) {
      const { type, fileName, content } = collectionFile(mock, baseUrl, param('format'), query.tenant);
      response
        .attachment(fileName)
        // The extension of the file alone would give a less exact type.
        .type(type)
        .send(typeof content === 'string' ? content : Buffer.from(content));
      return sent;
    },
  }),
];
