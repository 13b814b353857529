import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { remoteMock } from '../../mock/adapters/remote-mock.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { rules } from '../../spec/rules.ts';
import { program } from '../release/program.ts';
import { createServer } from './create-server.ts';

let mock: Mock;
let url = '';
beforeAll(async () => {
  // At the usual rate the check that writes would take half a minute.
  mock = await createMock({ rateLimit: { perSecond: 1_000, burst: 1_000 } });
  ({ url } = await mock.listen({ port: 0 }));
});
afterAll(() => mock.close());

async function connected(allowWrites = false, address = url) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createServer({ control: remoteMock(address), allowWrites });
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  // As long as a test may take: a run takes half a minute, and longer where others use the machine.
  const { content, isError = false } = await client.callTool({ name, arguments: given }, undefined, {
    timeout: 300_000,
  });
  const [{ text = '' } = {}] = content as { text?: string }[];
  return { isError, text, data: isError ? undefined : JSON.parse(text) };
}

it('finds the rules that contain all words of a text', async () => {
  const client = await connected();
  const { data } = await call(client, 'find_rules', { text: 'Labels idempotent' });
  expect(data.map(({ id }: { id: string }) => id)).toContain('labels/apply-is-idempotent');
  expect(data.length).toBeLessThan(10);
  expect((await call(client, 'find_rules')).data).toHaveLength(rules.length);
});

it('lists operations with where each part comes from', async () => {
  const { data } = await call(await connected(), 'list_operations');
  expect(data).toContainEqual(
    expect.objectContaining({
      id: 'applySiteLabel',
      provenance: expect.objectContaining({ method: 'documented', path: 'assumed' }),
    }),
  );
});

it('says why and by which rule a request was refused, and shows no secret', async () => {
  const headers = { 'x-api-key': 'acmenone-fake-secret-0000000000000002' };
  await fetch(`${url}/v1/conversation/c0000001-0000-4000-8000-000000000001`, { headers });
  const { data, text } = await call(await connected(), 'read_journal', { status: '4xx', limit: 1 });
  expect(data).toMatchObject([
    {
      operationId: 'getConversation',
      refused: 'missing-scope',
      why: expect.stringContaining('conversation:read'),
      rule: { id: 'scopes/missing-scope-is-403' },
    },
  ]);
  expect(text).not.toContain(headers['x-api-key']);
});

it('changes nothing unless it is allowed to', async () => {
  const { tools } = await (await connected()).listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'find_rules',
    'list_operations',
    'read_journal',
    'run_conformance',
  ]);
  expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([true, true, true, true]);
  await call(await connected(), 'run_conformance', { only: ['labels/apply-adds'] });
  expect(mock.journal.count({ operationId: 'applyConversationLabel' })).toBe(0);
});

// Half a minute: each record's label is put on and taken off alone, twice and eight at once, and what has to settle is waited for.
it('makes a tenant, and checks rules that need writes, if writes are allowed', async () => {
  const client = await connected(true);
  const { data } = await call(client, 'create_tenant', { from: 'acme', name: 'agents-own' });
  expect(data).toMatchObject({ name: 'agents-own', keys: { full: { secret: expect.any(String) } } });
  expect(mock.tenants.has('agents-own')).toBe(true);
  const run = await call(client, 'run_conformance', { only: ['labels/apply-adds'] });
  expect(run.data).toMatchObject({
    verdict: 'conformant',
    deployment: url,
    rules: [{ id: 'labels/apply-adds', outcome: 'pass' }],
  });
  expect(mock.journal.count({ operationId: 'applyConversationLabel' })).toBeGreaterThan(0);
});

/** A server that only this test uses. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('sends requests to the address of the mock only, whatever the mock itself says', async () => {
  let strayed = 0;
  const elsewhere = await serve((_, response) => {
    strayed++;
    response.end();
  });
  const described = await (await fetch(`${url}/_mock/target?format=json`)).json();
  const asked: (string | undefined)[] = [];
  const hostile = await serve(({ url: path }, response) => {
    asked.push(path);
    if (path?.startsWith('/_mock/target')) response.end(JSON.stringify({ ...described, baseUrl: elsewhere }));
    else response.writeHead(302, { location: `${elsewhere}${path}` }).end();
  });
  const client = await connected(false, hostile);
  await call(client, 'run_conformance', { only: ['labels/listing-gives-public-labels'] });
  expect(asked).toContain('/v1/labels');
  expect(await call(client, 'read_journal')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/302 leads to http.*\/_mock\/journal.*, which is not followed; give the address/),
  });
  expect(strayed).toBe(0);
});

it('sends no upload to another origin that the mock gives', async () => {
  let strayed = 0;
  const elsewhere = await serve((_, response) => {
    strayed++;
    response.end();
  });
  const proxy = await createMock({ publicUrl: elsewhere, rateLimit: { perSecond: 1_000, burst: 1_000 } });
  onTestFinished(() => proxy.close());
  const { url: address } = await proxy.listen({ port: 0 });
  const { isError } = await call(await connected(true, address), 'run_conformance', {
    only: ['upload/put-accepts-bytes'],
  });
  expect({ isError, strayed }).toEqual({ isError: false, strayed: 0 });
  expect(proxy.journal.count({ operationId: 'startSiteFileUpload' })).toBeGreaterThan(0);
});

it.each([
  ['run_conformance', {}, 'received undefined at only'],
  ['run_conformance', { only: [] }, 'must have at least one id at only'],
  ['run_conformance', { rules: ['auth'], only: ['auth'] }, 'unknown property; allowed: only'],
  ['read_journal', { limit: 0 }, 'must be from 1 to 100 at limit'],
  ['read_journal', { status: 'teapot' }, 'must be a status such as 404, or a class such as 4xx'],
  ['read_journal', { operationId: 'listLabel' }, 'did you mean "listLabels"?'],
  ['read_jornal', {}, 'read_jornal not found'],
])('says what is wrong with a call of %s with %j', async (name, given, problem) => {
  const { isError, text } = await call(await connected(), name, given);
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(problem) });
});

it('says that a server is no mock', async () => {
  const page = await serve((_, response) => response.end('<html>'));
  const { isError, text } = await call(await connected(false, page), 'read_journal');
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringContaining('the reply is not that of a mock'),
  });
});

it('reports the same problems as the command line', async () => {
  expect(await call(await connected(), 'run_conformance', { only: ['labels/aply-adds'] })).toMatchObject({
    isError: true,
    text: expect.stringContaining('labels/apply-adds'),
  });
  expect(await call(await connected(false, 'http://127.0.0.1:9'), 'read_journal')).toMatchObject({
    isError: true,
    text: expect.stringContaining('no mock answers'),
  });
});

it('is served by the command over standard input and output, and ends with its input', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--mock', url],
  });
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(transport);
  expect(client.getInstructions()).toContain('read_journal');
  expect((await call(client, 'find_rules', { text: 'limiter/' })).data.length).toBeGreaterThan(3);
  await client.close();
});
