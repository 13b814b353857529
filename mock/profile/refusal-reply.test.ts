import { describe, expect, it, test } from 'vitest';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { type RefusalCase, refusalCases } from '../../spec/refusals.ts';
import { acme, globex } from '../proof/acme.ts';
import { mockOf } from '../proof/contract-client.ts';

type Asked = Awaited<ReturnType<typeof mockOf>>['ask'];
const nobody = '00000000-0000-4000-8000-000000000000';
const full = { key: acme.full };
const start = `POST /v1/site/${acme.site}/file/upload-url`;
const register = `POST /v1/site/${acme.site}/file`;
const label = (conversation: string, id: string) => `PUT /v1/conversation/${conversation}/label/${id}`;

/** A fileKey that another site of the same tenant asked for. */
async function otherSitesFile(ask: Asked) {
  const { json } = await ask(`POST /v1/site/${acme.legacySite}/file/upload-url`, {
    ...full,
    body: { contentType: 'a/b' },
  });
  return json.fileKey;
}

/** A request that is refused in each of the ways that a profile knows. */
const provoke: Readonly<Record<RefusalCase, (ask: Asked) => ReturnType<Asked>>> = {
  'no-key': (ask) => ask('GET /v1/labels'),
  'unknown-key': (ask) => ask('GET /v1/labels', { key: 'nobodys-secret' }),
  'revoked-key': (ask) => ask('GET /v1/labels', { key: acme.revoked }),
  'bearer-only': (ask) => ask('GET /v1/labels', { headers: { authorization: `Bearer ${acme.full}` } }),
  'missing-scope': (ask) => ask(`GET /v1/site/${acme.site}`, { key: acme.none }),
  'malformed-json': (ask) => ask(start, { ...full, body: '{' }),
  'wrong-json-type': (ask) => ask(start, { ...full, body: { contentType: 7 } }),
  'missing-content-type': (ask) => ask(start, { ...full, body: {} }),
  'empty-content-type': (ask) => ask(start, { ...full, body: { contentType: '' } }),
  'additional-property': (ask) => ask(start, { ...full, body: { contentType: 'a/b', more: 1 } }),
  'missing-file-key': (ask) => ask(register, { ...full, body: {} }),
  'malformed-file-key': (ask) => ask(register, { ...full, body: { fileKey: 'nope' } }),
  'not-json': (ask) => ask(start, { ...full, body: 'x', headers: { 'content-type': 'text/plain' } }),
  'malformed-label-id': (ask) => ask(label(acme.open, 'vip'), full),
  'malformed-conversation-id': (ask) => ask('GET /v1/conversation/1/context', full),
  'malformed-client-id': (ask) => ask('GET /v1/client/1', full),
  'unknown-conversation': (ask) => ask(`GET /v1/conversation/${nobody}/context`, full),
  'foreign-conversation': (ask) => ask(`GET /v1/conversation/${globex.open}/context`, full),
  'unknown-site': (ask) => ask('GET /v1/site/0', full),
  'foreign-site': (ask) => ask(`GET /v1/site/${globex.site}`, full),
  'unknown-client': (ask) => ask(`GET /v1/client/ovcid-${nobody}`, full),
  'foreign-client': (ask) => ask(`GET /v1/client/${globex.client}`, full),
  'unknown-link': (ask) => ask(`PUT /v1/client/${acme.client}/site/0/label/${acme.vip}`, full),
  'foreign-link': (ask) => ask(`PUT /v1/client/${globex.client}/site/${globex.site}/label/${acme.vip}`, full),
  'unknown-label': (ask) => ask(label(acme.open, nobody), full),
  'private-label': (ask) => ask(label(acme.open, acme.privateLabel), full),
  'foreign-label': async (ask) => {
    const { json } = await ask('GET /v1/labels', { key: globex.full });
    return ask(label(acme.open, json.labels[0].id), full);
  },
  'unknown-file-key': (ask) => ask(register, { ...full, body: { fileKey: nobody } }),
  'foreign-file-key': async (ask) => ask(register, { ...full, body: { fileKey: await otherSitesFile(ask) } }),
  'unknown-path': (ask) => ask('GET /v1/nothing', full),
  'wrong-method': (ask) => ask('POST /v1/labels', full),
  'too-large': (ask) => ask(start, { ...full, body: 'x', headers: { 'content-length': '99999999' } }),
};

/** Where the specification itself has the status. */
const fixed: Readonly<Partial<Record<RefusalCase, number>>> = {
  'no-key': 403,
  'unknown-key': 403,
  'revoked-key': 403,
  'bearer-only': 403,
  'missing-scope': 403,
  'wrong-json-type': 422,
  'missing-content-type': 422,
  'empty-content-type': 422,
  'additional-property': 422,
  'malformed-json': 422,
  'not-json': 422,
  'too-large': 400,
};

describe.each(refusalCases)('%s', (name) => {
  const status = fixed[name] ?? 418;

  it('gets the status and code of the profile, and other cases do not', async () => {
    const code = name.toUpperCase();
    const { ask } = await mockOf({ errors: { [name]: { status, code } } });
    const reply = await provoke[name](ask);
    expect([reply.refused, reply.status, reply.json.error.code]).toEqual([name, status, code]);
    for (const other of refusalCases) {
      if (other !== name) expect((await provoke[other](ask)).json.error.code).not.toBe(code);
    }
  });

  it('shows the client nothing about other tenants', async () => {
    const { ask } = await mockOf({});
    const { json, why } = await provoke[name](ask);
    expect(json.error.message).not.toMatch(/globex|foreign|private|another/);
    if (/^(foreign|private)-/.test(name)) expect(why).toMatch(/globex|another site|private/);
  });
});

test.each([
  ['no-key', { status: 403, body: 'message' }, { message: 'Forbidden' }],
  ['too-large', { status: 413, body: 'message' }, { message: expect.stringContaining('larger than') }],
] as const)('%s in the words of a gateway', async (name, refusal, body) => {
  const { ask } = await mockOf({ errors: { [name]: refusal } });
  const reply = await provoke[name](ask);
  expect([reply.status, reply.json]).toEqual([refusal.status, body]);
});

test('has the usual code of its status if the profile gives none', async () => {
  const { ask } = await mockOf({ errors: { 'malformed-json': { status: 422 }, 'unknown-client': { status: 410 } } });
  expect((await provoke['malformed-json'](ask)).json.error.code).toBe('UNPROCESSABLE_ENTITY');
  expect((await provoke['unknown-client'](ask)).json.error.code).toBe('GONE');
});

test('a site that is missing or foreign stays 404 where the specification says so', async () => {
  const errors: Profile['errors'] = {
    'foreign-site': { status: 403, code: 'NOT_YOURS' },
    'unknown-site': { status: 410, code: 'NEVER_WAS' },
  };
  const { ask } = await mockOf({ errors });
  for (const site of [globex.site, '0']) {
    const reply = await ask(`POST /v1/site/${site}/file/upload-url`, { ...full, body: { contentType: 'a/b' } });
    expect([reply.status, reply.json.error.code]).toEqual([404, 'NOT_FOUND']);
  }
  expect((await provoke['foreign-site'](ask)).status).toBe(403);
});
