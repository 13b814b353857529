import { unzipSync } from 'fflate';
import { afterAll, expect, it } from 'vitest';
import { operationIds } from '../../spec/operations.ts';
import { createServedMock } from '../adapters/create-served-mock.ts';
import { type CollectionRequest, collectionOf } from './collection.ts';

const mock = await createServedMock();
const { url } = await mock.listen({ port: 0 });
afterAll(() => mock.close());

const file = (format: string, query = '') => fetch(`${url}/_mock/collections/${format}${query}`);

/** Sends every request in turn, as an API client does. */
async function play(tenant: string): Promise<Map<string, Response>> {
  const { variables, folders } = collectionOf(mock, url, tenant);
  const values: Record<string, string> = { ...variables };
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? 'unknown');
  const replies = new Map<string, Response>();
  for (const request of folders.flatMap(({ requests }) => requests)) {
    const reply = await send(request, filled);
    replies.set(request.id, reply);
    expect([request.id, reply.status]).toEqual([request.id, request.status]);
    const body = request.keeps.length > 0 ? await reply.json() : {};
    for (const field of request.keeps) values[field] = body[field];
  }
  return replies;
}

const send = ({ method, url: address, headers, body }: CollectionRequest, filled: (text: string) => string) =>
  fetch(filled(address), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, filled(value)]),
    body: body === null ? null : filled(body),
  });

it.each(['acme', 'globex', 'initech'])('has all operations for %s, and each of them works', async (tenant) => {
  const replies = await play(tenant);
  expect([...replies.keys()]).toEqual(expect.arrayContaining([...operationIds]));
  expect(replies.get('throttled')?.headers.get('retry-after')).toBe('1');
  expect(mock.journal.count({ tenant, operationId: 'registerSiteFile', status: 201 })).toBe(1);
});

it('leaves the labels of every record as they were', async () => {
  mock.reset();
  const labels = () =>
    mock.labels.of('acme', { conversation: 'c0000001-0000-4000-8000-000000000001' }).map(({ name }) => name);
  const before = labels();
  await play('acme');
  expect(labels()).toEqual(before);
});

it('contains only documented secrets', async () => {
  const other = await createServedMock();
  other.keys.regenerate({ tenant: 'acme', name: 'full' });
  expect(collectionOf(other, url, 'acme').variables.apiKey).toMatch(/^acme.*-fake-/);
  const made = other.tenants.create({ from: 'acme' });
  expect(collectionOf(other, url, made.name).variables).toMatchObject({ apiKey: '' });
  await other.close();
});

it.each([
  ['postman', 'application/json; charset=utf-8', 'partner-api.postman_collection.json'],
  ['bruno', 'application/zip', 'partner-api.bruno.zip'],
  ['http', 'text/plain; charset=utf-8', 'partner-api.http'],
])('is a file for %s', async (format, type, name) => {
  const reply = await file(format, '?tenant=globex');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
  expect(reply.headers.get('content-disposition')).toContain(name);
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const text = format === 'bruno' ? new TextDecoder().decode(unzipSync(bytes)['collection.bru']) : String(bytes);
  if (format === 'bruno') expect(text).toContain('apiKey: globfull-fake-secret');
});

it('names unknown formats and tenants', async () => {
  const message = async (reply: Promise<Response>) => (await (await reply).json()).error.message;
  expect(await message(file('soap'))).toContain('postman, bruno, http');
  expect(await message(file('postman', '?tenant=nobody'))).toContain('nobody');
});
