import { strToU8, zipSync } from 'fflate';
import type { Collection, CollectionRequest } from './collection.ts';

/** The files of a Bruno collection, by their path in its folder. */
function brunoFiles({ name, variables, folders }: Collection): Record<string, string> {
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`,
    'collection.bru': block('vars:pre-request', linesOf(variables)),
  };
  folders.forEach((folder, place) => {
    files[`${folder.name}/folder.bru`] = block('meta', linesOf({ name: folder.name, seq: `${place + 1}` }));
    folder.requests.forEach((request, seq) => {
      files[`${folder.name}/${request.id}.bru`] = requestFile(request, seq + 1);
    });
  });
  return files;
}

/** A Bruno collection as a zip archive, for a download. */
export function bruno(collection: Collection): Uint8Array {
  const files = Object.entries(brunoFiles(collection)).map(([path, text]) => [path, strToU8(text)] as const);
  // A fixed time, so that the archive is always the same. Zip archives allow no time before 1980.
  return zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 2) });
}

function requestFile(request: CollectionRequest, seq: number): string {
  const { name, description, method, url, headers, body, status, keeps, flood } = request;
  const kind = body === null ? 'none' : headers['content-type'] === 'application/json' ? 'json' : 'text';
  return [
    block('meta', linesOf({ name, type: 'http', seq: `${seq}` })),
    block(method.toLowerCase(), linesOf({ url, body: kind, auth: 'none' })),
    block('headers', linesOf(headers)),
    ...(body === null ? [] : [block(`body:${kind}`, [body])]),
    ...(keeps.length === 0
      ? []
      : [block('vars:post-response', linesOf(Object.fromEntries(keeps.map((field) => [field, `res.body.${field}`]))))]),
    block('assert', linesOf({ 'res.status': `eq ${status}` })),
    ...(flood === 0 ? [] : [block('tests', floodTest(flood))]),
    // Encoding would change a presigned URL and break its signature.
    block('settings', linesOf({ encodeUrl: 'false' })),
    block('docs', description.split('\n')),
  ].join('\n');
}

const block = (name: string, lines: readonly string[]) =>
  `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}\n`;

const linesOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => `${name}: ${value}`);

// Bruno's command line does not wait for tests, so the requests are awaited outside of the test. In safe mode an error has only its status.
const floodTest = (flood: number) =>
  `const request = { method: "GET", url: req.getUrl(), headers: req.getHeaders() };
const statusOf = () => bru.sendRequest(request).then(({ status }) => status, ({ status }) => status);
const statuses = await Promise.all(Array.from({ length: ${flood} }, statusOf));
test("${flood} at once: some got 429", () => {
  const refused = statuses.filter((status) => status === 429).length;
  console.log(refused + " of ${flood} got 429");
  expect(refused).to.be.above(0);
});`.split('\n');
