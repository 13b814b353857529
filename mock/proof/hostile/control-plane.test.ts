import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import type { ListeningMock } from '../../adapters/node-http.ts';
import { createClock } from '../../clock.ts';
import { acme } from '../acme.ts';
import { controlOperations } from '../control-client.ts';
import { type RawReply, rawConnection } from './raw-connection.ts';

const token = 'canary-control-token-0123456789';
let mock: Mock;
/** Reached from this machine alone, without a token. */
let open: ListeningMock;
let guarded: ListeningMock;
const errors: unknown[] = [];
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation((error) => void errors.push(error));
  mock = await createServedMock({ clock: createClock(() => Date.parse('2026-11-21T10:00:00Z')) });
  mock.tenants.create({ from: 'acme', name: 'victim' });
  mock.faults.add({ latency: 0, tenant: 'globex' });
  open = await mock.listen({ port: 0 });
  guarded = await mock.listen({ port: 0, control: { token } });
});
afterAll(() => mock.close());

const state = async () => JSON.stringify([await mock.snapshot(), mock.faults.list()]);

/** What would do harm, were it let in: every operation, with a body that it takes. */
const bodies: Readonly<Record<string, unknown>> = {
  '/reset': {},
  '/clock/advance': { by: '1h' },
  '/clock/freeze': {},
  '/faults': { drop: 'before' },
  '/tenants': { from: 'acme' },
  '/keys': { tenant: 'acme', name: 'stolen', scopes: [] },
  '/keys/{id}': { scopes: [] },
  '/journal/verify': { times: 0 },
};

async function attack(
  to: ListeningMock,
  { method, path }: { readonly method: string; readonly path: string },
  headers: Readonly<Record<string, string>>,
): Promise<RawReply> {
  const template = path.slice('/_mock'.length);
  const target = path
    .replace('{id}', template.startsWith('/faults') ? 'fault-1' : mock.keys.find({ tenant: 'victim', name: 'full' }).id)
    .replace('{tenant}', 'victim')
    .replaceAll(/\{\w+\}/g, 'victim');
  const body = method === 'GET' || method === 'DELETE' ? '' : JSON.stringify(bodies[template] ?? {});
  const all = { host: `127.0.0.1:${to.port}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  using connection = await rawConnection(to.port);
  connection.write(
    `${method} ${target} HTTP/1.1\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const [reply] = await connection.replies(1);
  if (reply === undefined) throw new Error('no reply');
  return reply;
}

async function expectAllRefused(
  to: ListeningMock,
  headers: Readonly<Record<string, string>>,
  status: number,
  code: string,
): Promise<void> {
  const before = await state();
  for (const operation of controlOperations) {
    const reply = await attack(to, operation, headers);
    expect([operation.id, reply.status, JSON.parse(reply.body).error.code]).toEqual([operation.id, status, code]);
    // No page may read so much as the refusal.
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(reply.body).not.toContain(token);
  }
  expect(await state()).toBe(before);
}

it('the control API has operations', () => {
  expect(controlOperations.length).toBeGreaterThan(25);
});

describe('without a token, every operation refuses', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a name that was rebound to this machine', { host: 'rebound.evil.test' }, 'FOREIGN_HOST'],
    ['one with our port', { host: 'rebound.evil.test:4010' }, 'FOREIGN_HOST'],
    ['a name below localhost', { host: 'evil.localhost' }, 'FOREIGN_HOST'],
    ['a name that begins like us', { host: '127.0.0.1.evil.test' }, 'FOREIGN_HOST'],
    ['a number that means us', { host: '2130706433' }, 'FOREIGN_HOST'],
    ['every address at once', { host: '0.0.0.0' }, 'FOREIGN_HOST'],
    ['a rebound page that says it is its own', { host: 'evil.test', origin: 'http://evil.test' }, 'FOREIGN_HOST'],
    ['a page of another site', { origin: 'https://evil.test' }, 'FOREIGN_ORIGIN'],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 'FOREIGN_ORIGIN'],
    ['a sandboxed page', { origin: 'null' }, 'FOREIGN_ORIGIN'],
    ['a file', { origin: 'file://' }, 'FOREIGN_ORIGIN'],
    ['an extension', { origin: 'chrome-extension://abcdefgh' }, 'FOREIGN_ORIGIN'],
    ['a link, image or form elsewhere', { 'sec-fetch-site': 'cross-site' }, 'FOREIGN_ORIGIN'],
    ['one on another port', { 'sec-fetch-site': 'same-site' }, 'FOREIGN_ORIGIN'],
    ['one that claims both', { 'sec-fetch-site': 'same-origin, none' }, 'FOREIGN_ORIGIN'],
    ['a preflight’s word', { origin: 'https://evil.test', 'access-control-request-method': 'POST' }, 'FOREIGN_ORIGIN'],
  ])('%s', (_, headers, code) => expectAllRefused(open, headers, 403, code));

  it('a form, or any body that is not declared as JSON', async () => {
    const before = await state();
    const writing = controlOperations.filter(({ path }) => path.slice('/_mock'.length) in bodies);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      for (const operation of writing.filter(({ method }) => method !== 'GET' && method !== 'DELETE')) {
        expect((await attack(open, operation, { 'content-type': type })).status).toBe(415);
      }
    }
    expect(await state()).toBe(before);
  });
});

describe('with a token, every operation refuses', () => {
  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another', { authorization: 'Bearer another-token' }],
    ['its beginning', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['it with more behind', { authorization: `Bearer ${token}0` }],
    ['it in capitals', { authorization: `Bearer ${token.toUpperCase()}` }],
    ['it twice', { authorization: `Bearer ${token} ${token}` }],
    ['it after another', { authorization: `Bearer x, Bearer ${token}` }],
    ['it without its scheme', { authorization: token }],
    ['it as a password', { authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` }],
    ['its hash', { authorization: 'Bearer 0000000000000000000000000000000000000000000000000000000000000000' }],
    ['it as an API key', { 'x-api-key': token }],
    ['it as a cookie', { cookie: `token=${token}` }],
    ['an API key in its place', { authorization: `Bearer ${acme.full}` }],
  ])('%s', (_, headers) => expectAllRefused(guarded, headers, 401, 'TOKEN_REQUIRED'));

  it('it from a page of another origin', () =>
    expectAllRefused(
      guarded,
      { authorization: `Bearer ${token}`, origin: 'https://evil.test' },
      403,
      'FOREIGN_ORIGIN',
    ));
});

it('the token is in nothing that the mock keeps or shows, wherever a client put it', async () => {
  const misplaced = [
    fetch(`${guarded.url}/_mock/clock`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${guarded.url}/_mock/clock?token=${token}`),
    fetch(`${guarded.url}/_mock/${token}`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${guarded.url}/v1/labels`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${guarded.url}/v1/labels`, { headers: { authorization: `Bearer ${token}`, 'x-api-key': acme.full } }),
    fetch(`${guarded.url}/v1/labels?token=${token}`, { headers: { 'x-api-key': acme.full } }),
    fetch(`${guarded.url}/v1/labels?control_token=${token}`),
    fetch(`${guarded.url}/v1/labels`, { headers: { 'x-api-key': token } }),
    fetch(`${guarded.url}/storage/acme/x?token=${token}`, { method: 'PUT', headers: { authorization: token } }),
  ];
  const replies = await Promise.all(misplaced.map(async (reply) => (await reply).status));
  expect(replies.filter((status) => status === 200)).toHaveLength(3);
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['journal', 'snapshot', 'target', 'keys', 'tenants', 'faults', 'files', 'limits', 'health']) {
    const reply = await fetch(`${guarded.url}/_mock/${path}`, { headers });
    expect([path, reply.status, (await reply.text()).includes(token)]).toEqual([path, 200, false]);
  }
  expect(JSON.stringify(mock.journal.list())).not.toContain(token);
  expect(errors).toEqual([]);
});
