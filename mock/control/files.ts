import { z } from 'zod';
import { missing } from '../mock-error.ts';
import { count, dateTime, named, orNull, route, sentStream, tenantFilter, text } from './control-route.ts';

export const file = z
  .object({
    fileKey: text,
    tenant: text,
    site: text,
    contentType: text,
    state: z.enum(['started', 'stored', 'registered']),
    name: orNull,
    size: count.nullable(),
    etag: orNull,
    urlExpiresAt: dateTime,
    storedAt: dateTime.nullable(),
    registeredAt: dateTime.nullable(),
  })
  .meta(named('File', 'An upload, finished or not.'));

export const fileRoutes = [
  route('listFiles', 'GET /files', 'List uploads. With uploads that are not finished.', {
    query: tenantFilter,
    reply: z.object({ files: z.array(file) }),
    refusals: [404],
    run: ({ mock, query }) => ({ files: mock.files.list(query.tenant) }),
  }),
  route('getFile', 'GET /files/{fileKey}', 'Read an upload. Without its bytes.', {
    reply: file,
    run: ({ mock, param }) => mock.files.get(param('fileKey')) ?? missing(noFile(param('fileKey'))),
  }),
  route(
    'getFileContent',
    'GET /files/{fileKey}/content',
    'Download the bytes of an upload. Always as application/octet-stream, so that no browser runs them.',
    {
      reply: { 'application/octet-stream': null },
      async run({ mock, param, response }) {
        const found = mock.files.get(param('fileKey'));
        const bytes = mock.files.read(param('fileKey'));
        if (found?.size == null || bytes === undefined) missing(noFile(param('fileKey')));
        response.status(200).set({
          // An uploaded file must never run in the browser as a page of the mock.
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${found.fileKey}"`,
          'content-security-policy': "sandbox; default-src 'none'",
          'content-length': String(found.size),
          etag: found.etag ?? '',
        });
        return sentStream(bytes, response);
      },
    },
  ),
];

const noFile = (fileKey: string) => `there is no file ${fileKey}, or its bytes were not PUT yet`;
