import { strToU8, zipSync } from 'fflate';
import { z } from 'zod';
import { missing } from '../mock-error.ts';
import { type Collection, type CollectionRequest, collectionOf } from './collection.ts';
import { route, sent, tenantFilter } from './control-route.ts';

/** The programs that a collection can be written for, with the media type and the name of their file. */
const formats = {
  postman: { type: 'application/json', fileName: 'partner-api.postman_collection.json', write: postman },
  bruno: { type: 'application/zip', fileName: 'partner-api.bruno.zip', write: bruno },
  http: { type: 'text/plain', fileName: 'partner-api.http', write: httpFile },
} as const;

/** A Postman collection, format 2.1, which Insomnia, Hoppscotch and others import too. */
function postman({ name, variables, folders }: Collection): string {
  const item = ({ name, description, method, url, headers, body, status, keeps }: CollectionRequest) => {
    const exec = [
      `pm.test('status is ${status}', () => pm.response.to.have.status(${status}));`,
      ...keeps.map((field) => `pm.collectionVariables.set('${field}', pm.response.json().${field});`),
    ];
    return {
      name,
      event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
      request: { method, description, header: pairs(headers), url, ...(body && { body: { mode: 'raw', raw: body } }) },
    };
  };
  const collection = {
    info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: folders.map((folder) => ({ name: folder.name, item: folder.requests.map(item) })),
    variable: pairs(variables),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

const pairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

/** A `.http` file in the dialect of JetBrains IDEs, which the httpYac extension and command line read too. */
function httpFile({ name, variables, folders }: Collection): string {
  const requests = folders.flatMap((folder) => folder.requests);
  const requestText = ({ name, method, url, headers, body, status, keeps }: CollectionRequest) =>
    [
      `### ${name}`,
      `${method} ${url}`,
      ...linesOf(headers),
      ...(body === null ? [] : ['', body]),
      '',
      '> {%',
      `  client.test("status is ${status}", () => client.assert(response.status === ${status}));`,
      ...keeps.map((field) => `  client.global.set("${field}", response.body.${field});`),
      '%}',
      '',
    ].join('\n');
  const values = Object.entries(variables).map(([variable, value]) => `@${variable} = ${value}`);
  return `# ${name}\n\n${values.join('\n')}\n\n${requests.map(requestText).join('\n')}`;
}

/** A Bruno collection, which is a folder, as a zip archive. */
function bruno({ name, variables, folders }: Collection): Uint8Array {
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`,
    'collection.bru': block('vars:pre-request', linesOf(variables)),
  };
  folders.forEach((folder, place) => {
    files[`${folder.name}/folder.bru`] = block('meta', linesOf({ name: folder.name, seq: `${place + 1}` }));
    folder.requests.forEach((request, seq) => {
      files[`${folder.name}/${request.id}.bru`] = brunoRequest(request, seq + 1);
    });
  });
  const bytes = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
  // A fixed time, so that the archive is always the same. Zip archives allow no time before 1980.
  return zipSync(Object.fromEntries(bytes), { mtime: new Date(1980, 0, 2) });
}

function brunoRequest(request: CollectionRequest, seq: number): string {
  const { name, description, method, url, headers, body, status, keeps } = request;
  const kind = body === null ? 'none' : headers['content-type'] === 'application/json' ? 'json' : 'text';
  const kept = Object.fromEntries(keeps.map((field) => [field, `res.body.${field}`]));
  return [
    block('meta', linesOf({ name, type: 'http', seq: `${seq}` })),
    block(method.toLowerCase(), linesOf({ url, body: kind, auth: 'none' })),
    block('headers', linesOf(headers)),
    ...(body === null ? [] : [block(`body:${kind}`, [body])]),
    ...(keeps.length === 0 ? [] : [block('vars:post-response', linesOf(kept))]),
    block('assert', linesOf({ 'res.status': `eq ${status}` })),
    // Encoding would change a presigned URL and break its signature.
    block('settings', linesOf({ encodeUrl: 'false' })),
    block('docs', description.split('\n')),
  ].join('\n');
}

const block = (name: string, lines: readonly string[]) =>
  `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}\n`;

const linesOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => `${name}: ${value}`);

export const collectionRoutes = [
  route(
    'getCollection',
    'GET /collections/{format}',
    'Download requests for an API client. All operations with the address, ids and documented fake keys of a tenant, by default the first one. The file is a Postman collection (`postman`), a Bruno folder as zip archive (`bruno`) or an `.http` file (`http`).',
    {
      query: tenantFilter,
      reply: { 'application/json': z.looseObject({}), 'application/zip': null, 'text/plain': null },
      run({ mock, baseUrl, query, param, response }) {
        const name = param('format');
        const names = Object.keys(formats).join(', ');
        const [, format] =
          Object.entries(formats).find(([known]) => known === name) ??
          missing(`there is no collection format ${name}; choose one of ${names}`);
        const content = format.write(collectionOf(mock, baseUrl, query.tenant));
        response
          .attachment(format.fileName)
          // Set after `attachment`, which would derive a less exact type from the file name.
          .type(format.type)
          .send(typeof content === 'string' ? content : Buffer.from(content));
        return sent;
      },
    },
  ),
];
