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
        // Set after `attachment`, which would derive a less exact type from the file name.
        .type(type)
        .send(typeof content === 'string' ? content : Buffer.from(content));
      return sent;
    },
  }),
];
