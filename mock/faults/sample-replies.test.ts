import { expect, it } from 'vitest';
import { operationList } from '../../spec/operations.ts';
import { validateReply } from '../../spec/reply-validator.ts';
import { fillPath } from '../../spec/routes.ts';
import type { StatusReply } from '../arguments/shapes.ts';
import { createMock, type MockOptions } from '../create-mock.ts';
import { acme, acmeParameters } from '../proof/acme.ts';

/** The reply of a fault to a request for that operation. */
async function replyTo({ method, path }: { method: string; path: string }, reply: StatusReply, options?: MockOptions) {
  const mock = await createMock(options);
  mock.faults.add({ reply });
  const headers = { 'x-api-key': acme.full };
  const sent = await mock.handle({
    method,
    url: fillPath(path, acmeParameters(path)),
    origin: 'http://x',
    headers,
    body: null,
  });
  return { ...sent, json: sent.body === null ? null : JSON.parse(sent.body) };
}

it.each(operationList)('a success of $id that a fault asks for keeps the schema', async (operation) => {
  const { id, success } = operation;
  const { status, json, headers } = await replyTo(operation, { status: success, headers: { 'x-seen': 'yes' } });
  expect([status, headers['x-seen'], json]).toEqual([success, 'yes', expect.anything()]);
  expect(validateReply(id, success, json, headers)).toEqual([]);
  // Another status of a success has the same body.
  expect((await replyTo(operation, { status: success + 1 })).json).toEqual(json);
});

const listLabels = { method: 'GET', path: '/v1/labels' };

it.each([
  ['no body where HTTP has none', { status: 204 }, null],
  ['no body for a redirect', { status: 302, headers: { location: '/' } }, null],
  ['the body that is given', { status: 200, body: {} }, {}],
  ['null if that is given', { status: 200, body: null }, null],
])('sends %s', async (_, reply, body) => {
  expect(await replyTo(listLabels, reply)).toMatchObject({ status: reply.status, json: body });
});

it('sends an upload no body, and samples in the shape of the deployment', async () => {
  expect(await replyTo({ method: 'PUT', path: '/storage/acme/x' }, { status: 200 })).toMatchObject({ body: null });
  const profile = { shapes: { labelList: { at: 'data', items: 'ids' as const }, contextLabels: 'ids' as const } };
  expect((await replyTo(listLabels, { status: 200 }, { profile })).json).toEqual({ data: [expect.any(String)] });
  const context = { method: 'GET', path: '/v1/conversation/{id}/context' };
  expect((await replyTo(context, { status: 200 }, { profile })).json.labels).toEqual([]);
});

it('answers Prefer for the status of the contract, where a profile has another, with a sample', async () => {
  const mock = await createMock({ profile: { operations: { getHealth: { status: 203 } } } });
  const headers = { 'x-api-key': acme.full, prefer: 'code=200' };
  const request = { method: 'GET', url: '/v1/health', origin: 'http://x', headers, body: null };
  expect(await mock.handle(request)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
});
