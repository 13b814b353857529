import { afterAll, expect, it } from 'vitest';
import { operations } from '../../spec/operations.ts';
import { createServedMock } from '../adapters/create-served-mock.ts';
import { acme } from '../proof/acme.ts';

// No test here is about limits, and together they send more than a burst.
const mock = await createServedMock({ rateLimit: false });
const { url } = await mock.listen({ port: 0 });
afterAll(() => mock.close());

interface Served {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly parameters: Readonly<
      Record<string, { readonly name: string; readonly examples: { readonly typical: { readonly value: string } } }>
    >;
  };
}
const read = async () => (await (await fetch(`${url}/_mock/openapi.json`)).json()) as Served;
const registration = async () => JSON.stringify((await read()).paths['/v1/site/{id}/file']);
const post = (path: string, body: unknown) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
/** An upload whose bytes are stored, and which can be registered. */
async function upload(site: string): Promise<string> {
  const { fileKey, uploadUrl } = await (
    await post(`/v1/site/${site}/file/upload-url`, { contentType: 'image/jpeg' })
  ).json();
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: 'bytes' });
  return fileKey;
}
// Not the site that is the example before.
const site = [...mock.tenant('acme').records.sites.keys()].at(-1) ?? '';
await upload(site);
const served = await read();

it('names the address at which it is served', () => {
  expect(served.servers).toMatchObject([{ url }]);
  expect(JSON.stringify(served)).not.toContain('127.0.0.1:4010');
});

const calls = Object.entries(served.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ path, method, operation: operation as never, references: item.parameters ?? [] })),
);

it('has a test for every operation', () => {
  expect(calls).toHaveLength(Object.keys(operations).length);
});

it.each(calls)('$method $path works with its examples', async ({ path, method, operation, references }) => {
  const { operationId, requestBody } = operation as {
    operationId: string;
    requestBody?: { content: { 'application/json': { examples: { typical: { value: unknown } } } } };
  };
  let filled = path;
  for (const { $ref } of references as { $ref: string }[]) {
    const parameter = served.components.parameters[$ref.split('/').at(-1) ?? ''];
    filled = filled.replace(`{${parameter?.name}}`, parameter?.examples.typical.value ?? 'none');
  }
  const body = requestBody && JSON.stringify(requestBody.content['application/json'].examples.typical.value);
  const headers = { 'x-api-key': acme.full, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const reply = await fetch(served.servers[0]?.url + filled, {
    method: method.toUpperCase(),
    headers,
    body: body ?? null,
  });
  expect(reply.status).toBe(operations[operationId as 'listLabels'].success);
});

it('names the newest upload that waits to be registered, and makes none itself', async () => {
  for (const { fileKey, site } of mock.files.list()) await post(`/v1/site/${site}/file`, { fileKey });
  const before = mock.files.list();
  const without = await registration();
  expect([await registration(), mock.files.list()]).toEqual([without, before]);
  const older = await upload(site);
  const newest = await upload(site);
  for (const fileKey of [newest, older]) {
    expect(await registration()).toContain(fileKey);
    expect((await post(`/v1/site/${site}/file`, { fileKey })).status).toBe(201);
  }
  expect(await registration()).toBe(without);
});
