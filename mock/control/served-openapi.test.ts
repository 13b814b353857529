import { afterAll, expect, it } from 'vitest';
import { operations } from '../../spec/operations.ts';
import { createServedMock } from '../adapters/create-served-mock.ts';
import { acme } from '../proof/acme.ts';

const mock = await createServedMock();
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
const served = (await (await fetch(`${url}/_mock/openapi.json`)).json()) as Served;

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

it('gives the same example file until it is registered, and then another', async () => {
  const example = async () =>
    ((await (await fetch(`${url}/_mock/openapi.json`)).json()) as typeof served).paths['/v1/site/{id}/file'];
  const first = await example();
  expect(await example()).toEqual(first);
  const [site] = mock.tenant('acme').records.links.values();
  const [, fileKey] = /"fileKey":"([^"]+)"/.exec(JSON.stringify(first)) ?? [];
  const register = () =>
    fetch(`${url}/v1/site/${site?.site}/file`, {
      method: 'POST',
      headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
      body: JSON.stringify({ fileKey }),
    });
  expect([(await register()).status, (await register()).status]).toEqual([201, 409]);
  expect(await example()).not.toEqual(first);
});
