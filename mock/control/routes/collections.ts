import { z } from 'zod';
import { MockError } from '../../mock-error.ts';
import { bruno } from '../collections/bruno.ts';
import { type Collection, collectionOf } from '../collections/collection.ts';
import { httpFile } from '../collections/http-file.ts';
import { postman } from '../collections/postman.ts';
import { route, sent } from '../control-route.ts';
import { tenantFilter } from '../schemas.ts';

interface Format {
  /** The media type of the file. */
  readonly type: string;
  readonly fileName: string;
  write(collection: Collection): string | Uint8Array;
}

/** The programs that a collection can be written for. */
const formats: ReadonlyMap<string, Format> = new Map([
  ['postman', { type: 'application/json', fileName: 'partner-api.postman_collection.json', write: postman }],
  ['bruno', { type: 'application/zip', fileName: 'partner-api.bruno.zip', write: bruno }],
  ['http', { type: 'text/plain', fileName: 'partner-api.http', write: httpFile }],
]);

export const collectionRoutes = [
  route(
    'getCollection',
    'GET /collections/{format}',
    'Download requests for an API client. All operations with the address, ids and documented fake keys of a tenant, by default the first one. The file is a Postman collection (`postman`), a Bruno folder as zip archive (`bruno`) or an `.http` file (`http`).',
    {
      query: tenantFilter,
      reply: { 'application/json': z.looseObject({}), 'application/zip': null, 'text/plain': null },
      run({ mock, baseUrl, query, param, response }) {
        const format = formats.get(param('format'));
        if (format === undefined) {
          const names = [...formats.keys()].join(', ');
          throw new MockError('missing', `there is no collection format ${param('format')}; choose one of ${names}`);
        }
        const { type, fileName, write } = format;
        const content = write(collectionOf(mock, baseUrl, query.tenant));
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
