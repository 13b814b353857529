import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseTarget } from '../../spec/files/target.ts';
import { createServedMock, type Mock } from '../adapters/create-served-mock.ts';
import { createClock } from '../clock.ts';
import { acme } from '../proof/acme.ts';
import { controlClient, controlOperations } from '../proof/control-client.ts';
import { controlRoutes } from './routes.ts';

let mock: Mock;
let url: string;
let control: ReturnType<typeof controlClient>;
const called = new Set<string>();
const now = Date.parse('2026-11-21T10:00:00Z');

beforeEach(async () => {
  mock = await createServedMock({ clock: createClock(() => now) });
  ({ url } = await mock.listen({ port: 0 }));
  control = controlClient(url);
});
afterEach(async () => {
  for (const id of control.called) called.add(id);
  await mock.close();
});

const call = (path: string, key: string = acme.full, init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } });

async function upload(text: string): Promise<string> {
  const json = { 'content-type': 'application/json' };
  const started = await call(`/v1/site/${acme.site}/file/upload-url`, acme.full, {
    method: 'POST',
    body: '{"contentType":"text/html"}',
    headers: json,
  });
  const { uploadUrl, fileKey } = await started.json();
  await fetch(uploadUrl, { method: 'PUT', body: text, headers: { 'content-type': 'text/html' } });
  await call(`/v1/site/${acme.site}/file`, acme.full, {
    method: 'POST',
    body: JSON.stringify({ fileKey, name: 'a' }),
    headers: json,
  });
  return fileKey;
}

describe('the control API', () => {
  it('is what openapi.yaml says, route by route', () => {
    const served = controlRoutes.map(({ method, path }) => `${method.toUpperCase()} /_mock${path}`).sort();
    expect(served).toEqual(controlOperations.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('describes the mock: health, contract, target', async () => {
    expect((await control.send('GET', '/health')).body).toMatchObject({ status: 'ok', tenants: 3 });
    const target = await control.send('GET', '/target');
    expect(target.headers.get('content-type')).toContain('yaml');
    const parsed = parseTarget(parse(target.text), {}, 'target');
    expect(parsed.baseUrl).toBe(url);
    expect(parsed.tenants[0]?.keys.find(({ name }) => name === 'full')?.secret).toBe(acme.full);
    expect(parsed.tenants[0]).toMatchObject({
      sites: { legacy: acme.legacySite },
      privateLabel: { id: acme.privateLabel },
    });
    expect((await control.send('GET', '/target?format=json')).body.tenants).toHaveLength(3);
    expect((await control.send('GET', '/collections/http')).text).toContain(`@baseUrl = ${url}`);
  });

  it('says what is known about the client while certify judges it', async () => {
    expect((await control.send('GET', '/client')).body).toEqual({ report: null, environment: {} });
  });

  it('shows no secret in the target but those of fixture files', async () => {
    const full = mock.keys.find({ tenant: 'acme', name: 'full' });
    const { body } = await control.send('POST', `/keys/${full.id}/regenerate`);
    const target = await control.send('GET', '/target?format=json');
    expect(target.text).not.toContain(body.secret);
    expect(target.body.tenants[0].keys[0].secret).toBe(`\${ACME_FULL_KEY}`);
  });

  it('versioning/version-is-1-0-0: serves the contract of version 1.0.0', async () => {
    expect((await control.send('GET', '/openapi.json')).body.info.version).toBe('1.0.0');
  });

  it('moves the clock of the mock', async () => {
    expect((await control.send('GET', '/clock')).body).toEqual({
      now: '2026-11-21T10:00:00.000Z',
      frozen: false,
      offset: 0,
    });
    expect((await control.send('POST', '/clock/advance', { by: '5m' })).body.now).toBe('2026-11-21T10:05:00.000Z');
    expect((await control.send('POST', '/clock/freeze', { at: '2027-01-01T00:00:00Z' })).body.frozen).toBe(true);
    expect(mock.clock.now()).toBe(Date.parse('2027-01-01T00:00:00Z'));
    expect((await control.send('POST', '/clock/reset')).body.offset).toBe(0);
  });

  it('breaks one rule on purpose, names it in the journal, and keeps all again', async () => {
    const id = 'auth/no-key-served-by-listLabels';
    const { body } = await control.send('GET', '/wrong/ways');
    expect(body.ways.find((way: { id: string }) => way.id === id)).toMatchObject({
      rule: 'auth/no-key-is-403',
      sees: expect.stringContaining('expected 403'),
      curl: [`curl -si ${url}/v1/labels`],
      kind: { code: 207 },
    });
    const status = async () => (await fetch(`${url}/v1/labels`)).status;
    expect((await control.send('GET', '/wrong')).body).toEqual({ wrong: null });
    const on = await control.send('PUT', '/wrong', { id, chance: 0.5, seed: 7 });
    expect((await control.send('GET', '/wrong')).body).toEqual(on.body);
    expect(on.body.wrong).toMatchObject({ id, rule: 'auth/no-key-is-403', chance: 0.5, seed: 7 });
    const statuses = await Promise.all(Array.from({ length: 20 }, status));
    expect(new Set(statuses)).toEqual(new Set([200, 403]));
    const { exchanges } = (await control.send('GET', '/journal')).body;
    for (const { reply, fault } of exchanges) expect(fault).toBe(reply.status === 200 ? id : null);
    expect((await control.send('DELETE', '/wrong')).status).toBe(204);
    expect(await status()).toBe(403);
    const [habit] = body.habits;
    expect((await control.send('PUT', '/wrong', { habit: habit.id })).body.wrong.rule).toBeNull();
    await control.send('POST', '/reset');
    expect((await control.send('GET', '/wrong')).body).toEqual({ wrong: null });
  });

  it('makes and removes tenants', async () => {
    const { body } = await control.send('POST', '/tenants', { from: 'acme', name: 'worker-1' });
    const secret = body.keys.full.secret;
    expect((await call(`/v1/conversation/${body.ids[acme.open]}`, secret)).status).toBe(200);
    const again = await control.send('GET', '/tenants/worker-1');
    expect(again.body.clonedFrom).toBe('acme');
    expect(again.text + (await control.send('GET', '/tenants')).text).not.toContain(secret);
    expect((await control.send('DELETE', '/tenants/worker-1')).status).toBe(204);
    expect((await call('/v1/health', secret)).status).toBe(403);
  });

  it('applies private labels like the product, which the API hides', async () => {
    for (const holder of [
      `conversation/${acme.closed}`,
      `site/${acme.legacySite}`,
      `client/${acme.client}/site/${acme.site}`,
    ]) {
      const at = `/tenants/acme/${holder}`;
      const put = await control.send('PUT', `${at}/label/${acme.privateLabel}`);
      expect(put.body.labels).toContainEqual(expect.objectContaining({ id: acme.privateLabel, visibility: 'private' }));
      expect((await control.send('GET', `${at}/labels`)).body).toEqual(put.body);
      const applied = await call(`/v1/${holder}/label/${acme.vip}`, acme.full, { method: 'PUT' });
      expect(await applied.text()).not.toContain(acme.privateLabel);
      await control.send('DELETE', `${at}/label/internal-risk`);
      expect((await control.send('GET', `${at}/labels`)).text).not.toContain(acme.privateLabel);
    }
  });

  it('shows a record as the API does, with its private labels and what it is linked with', async () => {
    const record = async (path: string) =>
      (await control.send('GET', `/tenants/acme${path.startsWith('?') ? '' : '/'}${path}`)).body;
    const answered = async (path: string) => (await call(`/v1/${path}`)).json();
    const conversation = await record(`conversation/${acme.open}`);
    expect(conversation.reply).toEqual(await answered(`conversation/${acme.open}/context`));
    expect(conversation.labels.map(({ id }: { id: string }) => id)).toContain(acme.privateLabel);
    expect(conversation.sites).toContain(acme.site);
    const site = await record(`site/${acme.site}`);
    expect(site.reply).toEqual(await answered(`site/${acme.site}`));
    expect(site.conversations).toContain(acme.open);
    expect(site.clients).toContain(acme.client);
    const client = await record(`client/${acme.client}`);
    expect(client.reply).toEqual(await answered(`client/${acme.client}`));
    expect(client.sites).toContain(acme.site);
    expect((await control.send('GET', '/tenants/acme/client/nobody')).status).toBe(404);
    const { records, conversations } = await record('?limit=1&text=FURNACE');
    expect([records.conversations.map(({ id }: { id: string }) => id), records.sites, conversations]).toEqual([
      [acme.closed],
      [],
      mock.tenant('acme').conversations.all.size,
    ]);
    // A record is found by the name of a label, too.
    const labelled = await record('?text=INTERNAL-RISK');
    expect(labelled.records.conversations.map(({ id }: { id: string }) => id)).toContain(acme.open);
  });

  it('serves uploaded files as downloads that no browser runs', async () => {
    const fileKey = await upload('<script>alert(1)</script>');
    expect((await control.send('GET', '/files?tenant=acme')).body.files).toMatchObject([
      { fileKey, state: 'registered', size: 25 },
    ]);
    expect((await control.send('GET', `/files/${fileKey}`)).body.site).toBe(acme.site);
    const content = await control.send('GET', `/files/${fileKey}/content`);
    expect(content.text).toBe('<script>alert(1)</script>');
    expect(content.headers.get('content-type')).toBe('application/octet-stream');
    expect(content.headers.get('content-disposition')).toBe(`attachment; filename="${fileKey}"`);
    expect(content.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('injects, lists and removes faults', async () => {
    const { body } = await control.send('POST', '/faults', {
      operationId: 'listLabels',
      times: 1,
      reply: { status: 503, retryAfter: 7 },
    });
    const struck = await call('/v1/labels');
    expect([struck.status, struck.headers.get('retry-after')]).toEqual([503, '7']);
    expect((await call('/v1/labels')).status).toBe(200);
    expect((await control.send('GET', `/faults/${body.id}`)).body).toMatchObject({ hits: 1, remaining: 0 });
    expect((await control.send('GET', '/faults')).body.faults).toHaveLength(1);
    const paused = { reply: { status: 500 }, paused: true };
    expect((await control.send('PUT', `/faults/${body.id}`, paused)).body).toMatchObject({ spec: paused, hits: 1 });
    expect((await control.send('DELETE', `/faults/${body.id}`)).status).toBe(204);
    expect((await control.send('DELETE', '/faults')).status).toBe(204);
  });

  it('shows the journal, counts and verifies, without a secret', async () => {
    await call('/v1/labels');
    await call('/v1/labels', 'nobodys-secret-0000000');
    const { body, text } = await control.send('GET', '/journal?status=4xx');
    expect(body.exchanges).toMatchObject([{ refused: 'unknown-key', rule: 'auth/unknown-key-is-403' }]);
    expect(text).not.toContain('nobodys');
    expect((await control.send('GET', `/journal/${body.exchanges[0].id}`)).body.reply.status).toBe(403);
    expect((await control.send('POST', '/journal/count', { operationId: 'listLabels' })).body.count).toBe(2);
    const verified = await control.send('POST', '/journal/verify', {
      query: { key: 'full', status: 200 },
      times: { atLeast: 2 },
    });
    expect(verified.body).toMatchObject({ verified: false, count: 1 });
    const sequence = [{ key: 'full' }, { status: 403 }];
    const inSequence = await control.send('POST', '/journal/verify', { sequence });
    expect(inSequence.body).toMatchObject({ verified: true, count: 2 });
    const apart = await control.send('POST', '/journal/verify', { query: {}, gaps: { atLeast: '1h' } });
    expect(apart.body).toMatchObject({ verified: false, count: 2 });
    expect((await control.send('DELETE', '/journal')).status).toBe(204);
    expect((await control.send('GET', '/journal')).body.found).toBe(0);
  });

  it('streams the journal from where the reader left off, and says how much was dropped', async () => {
    for (let i = 0; i < 3; i++) await call('/v1/health');
    const reader = await streamReader('/journal/stream', { 'last-event-id': '1' });
    await reader.until('id: 3');
    await call('/v1/labels');
    const text = await reader.until('id: 4');
    expect(text.match(/^id: \d+$/gm)).toEqual(['id: 2', 'id: 3', 'id: 4']);
    expect(text).toContain('"operationId":"listLabels"');
    await reader.cancel();

    mock.journal.clear();
    await call('/v1/health');
    const late = await streamReader('/journal/stream', { 'last-event-id': '1' });
    expect(await late.until('id: 5')).toContain('event: dropped\ndata: {"count":3}');
    await late.cancel();
    control.called.add('streamJournal');
  });

  it('streams a backlog that is larger than any buffer to a slow reader', async () => {
    const request = { method: 'GET', headers: { 'x-note': 'n'.repeat(8_000) }, origin: url, body: null };
    for (let i = 0; i < 700; i++) await mock.handle({ ...request, url: '/v1/health' });
    const reader = await streamReader('/journal/stream?lastEventId=0', {});
    const text = await reader.until('id: 700');
    await reader.cancel();
    expect(text.length).toBeGreaterThan(5_000_000);
    expect(text.match(/^id: /gm)).toHaveLength(700);
    expect(text).not.toContain('event: dropped');
  });

  it('takes a snapshot, resets, and restores it with its bytes', async () => {
    const fileKey = await upload('hello');
    const { body: snapshot } = await control.send('GET', '/snapshot');
    expect((await control.send('POST', '/reset')).status).toBe(204);
    expect(mock.files.list()).toEqual([]);
    expect((await control.send('POST', '/restore', snapshot)).status).toBe(204);
    expect(new TextDecoder().decode(await mock.files.bytes(fileKey))).toBe('hello');
    const { body: again } = await control.send('GET', '/snapshot');
    expect({ ...again, content: Object.values(again.content) }).toEqual({
      ...snapshot,
      tenants: snapshot.tenants.map(withoutBlobs),
      content: [btoa('hello')],
    } satisfies typeof snapshot);
  });

  it('keys/created-with-name-and-scopes: the revealed secret works with the chosen scopes alone', async () => {
    const made = await control.send('POST', '/keys', { tenant: 'acme', name: 'mine', scopes: ['conversation:read'] });
    expect(made.body).toMatchObject({ name: 'mine', scopes: ['conversation:read'], state: 'ACTIVE' });
    expect((await call(`/v1/conversation/${acme.open}`, made.body.secret)).status).toBe(200);
    expect((await call(`/v1/site/${acme.site}`, made.body.secret)).status).toBe(403);
  });

  it('keys/secret-shown-only-once: no reply but those two carries a secret', async () => {
    const { body: made } = await control.send('POST', '/keys', { tenant: 'acme', name: 'mine', scopes: [] });
    const { body: again } = await control.send('POST', `/keys/${made.id}/regenerate`);
    await call('/v1/health', again.secret);
    const shown = await Promise.all(
      ['/keys', `/keys/${made.id}`, '/limits', '/snapshot', '/target', '/journal', '/tenants/acme'].map((path) =>
        control.send('GET', path),
      ),
    );
    const edited = await control.send('PATCH', `/keys/${made.id}`, { rateLimit: { perSecond: 5, burst: 5 } });
    const revoked = await control.send('POST', `/keys/${made.id}/revoke`);
    const text = [...shown, edited, revoked].map((answer) => answer.text).join();
    expect([made.secret, again.secret].filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain(again.prefix);
  });

  it('keys/regeneration-issues-a-new-secret: with the same scopes, and the old one fails at once', async () => {
    const { body: made } = await control.send('POST', '/keys', { tenant: 'acme', name: 'mine', scopes: ['site:read'] });
    const { body: again } = await control.send('POST', `/keys/${made.id}/regenerate`);
    expect([again.id, again.scopes, again.secret === made.secret]).toEqual([made.id, ['site:read'], false]);
    expect((await call('/v1/health', made.secret)).status).toBe(403);
    expect((await call(`/v1/site/${acme.site}`, again.secret)).status).toBe(200);
  });

  it('keys/revocation-is-immediate-and-listed: the next request gets 403, and the list says REVOKED', async () => {
    const { body: made } = await control.send('POST', '/keys', { tenant: 'acme', name: 'mine', scopes: [] });
    expect((await call('/v1/health', made.secret)).status).toBe(200);
    await control.send('POST', `/keys/${made.id}/revoke`);
    expect((await call('/v1/health', made.secret)).status).toBe(403);
    const { body } = await control.send('GET', '/keys?tenant=acme');
    expect(body.keys).toContainEqual(expect.objectContaining({ id: made.id, state: 'REVOKED' }));
    expect((await control.send('POST', `/keys/${made.id}/regenerate`)).status).toBe(409);
  });

  it('edits scopes and limit without touching the secret or what is used of the bucket', async () => {
    const { body: made } = await control.send('POST', '/keys', { tenant: 'acme', name: 'mine', scopes: [] });
    for (let i = 0; i < 5; i++) await call('/v1/health', made.secret);
    await control.send('PATCH', `/keys/${made.id}`, { scopes: ['site:read'], rateLimit: { perSecond: 1, burst: 30 } });
    expect((await control.send('GET', `/keys/${made.id}`)).body).toMatchObject({
      ownRateLimit: true,
      scopes: ['site:read'],
    });
    const level = async () => (await control.send('GET', `/limits/${made.id}`)).body;
    const lastMinute = [{ admitted: 5, throttled: 0, before: 20, after: 15 }];
    expect(await level()).toMatchObject({ level: 15, wait: 0, rateLimit: { perSecond: 1, burst: 30 }, lastMinute });
    expect((await call(`/v1/site/${acme.site}`, made.secret)).status).toBe(200);
    await control.send('PATCH', `/keys/${made.id}`, { rateLimit: null });
    expect((await level()).rateLimit).toEqual({ perSecond: 10, burst: 20 });
  });

  it('answers an unknown path and a wrong method in JSON', async () => {
    const code = 'NOT_FOUND';
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PATCH', '/clock'],
    ] as const)
      expect((await control.send(method, path)).body.error).toEqual({
        code,
        message: `The control API has no ${method} /_mock${path}; mock/control/README.md lists all.`,
      });
  });
});

it('has a test above for every operation of openapi.yaml', () => {
  expect(controlOperations.map(({ id }) => id).filter((id) => !called.has(id))).toEqual([]);
});

const withoutBlobs = (tenant: { files: { stored: { blob: string } | null }[] }) => ({
  ...tenant,
  files: tenant.files.map((file) => ({ ...file, stored: file.stored && { ...file.stored, blob: expect.any(String) } })),
});

async function streamReader(path: string, headers: Record<string, string>) {
  const response = await fetch(`${url}/_mock${path}`, { headers });
  const reader = response.body?.getReader();
  let text = '';
  return {
    async until(wanted: string) {
      while (!text.includes(`${wanted}\n`)) text += new TextDecoder().decode((await reader?.read())?.value);
      return text;
    },
    cancel: async () => reader?.cancel(),
  };
}
