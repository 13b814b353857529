import { beforeEach, expect, it } from 'vitest';
import { createMock, type Mock } from './create-mock.ts';
import { acme } from './proof/acme.ts';
import { contractClient } from './proof/contract-client.ts';
import { defineTenant } from './seed/define-tenant.ts';
import { memoryFiles } from './storage/files.ts';

/** RFC 9562, section 4: UUIDs are read in any letter case and written in lower case. Ids of sites and clients are no UUIDs. */

let mock: Mock;
let client: ReturnType<typeof contractClient>;
beforeEach(async () => {
  mock = await createMock({ rateLimit: false, files: memoryFiles() });
  client = contractClient(mock, acme.full);
});
const capitals = (id: string) => id.toUpperCase();

it('finds a conversation and a label in capitals, and answers in lower case', async () => {
  const params = { id: capitals(acme.open), labelId: capitals(acme.gateCode) };
  const { status, body, text } = await client.call('applyConversationLabel', { params });
  expect([status, body.conversationId]).toEqual([200, acme.open]);
  expect(body.labels.map(({ id }: { id: string }) => id)).toContain(acme.gateCode);
  expect(text).not.toContain(capitals(acme.open));
  // Both spellings are one record.
  const again = await client.call('applyConversationLabel', { params: { id: acme.open, labelId: acme.gateCode } });
  expect(again.body).toEqual(body);
  expect((await client.call('removeConversationLabel', { params })).body.labels).not.toContainEqual(
    expect.objectContaining({ id: acme.gateCode }),
  );
  expect((await client.call('getConversation', { params: { id: params.id } })).body.id).toBe(acme.open);
});

it('registers a fileKey in capitals, once', async () => {
  const params = { id: acme.site };
  const { body } = await client.call('startSiteFileUpload', { params, body: { contentType: 'a/b' } });
  const { pathname, search } = new URL(body.uploadUrl);
  await client.send('PUT', pathname + search, { body: 'x', headers: { 'content-type': 'a/b' } });
  const fileKey = capitals(body.fileKey);
  const registered = await client.call('registerSiteFile', { params, body: { fileKey } });
  expect([registered.status, registered.body.fileKey]).toEqual([201, body.fileKey]);
  expect((await client.call('registerSiteFile', { params, body: { fileKey: body.fileKey } })).status).toBe(409);
  expect(mock.files.get(fileKey)?.fileKey).toBe(body.fileKey);
});

it('keeps what is private or foreign hidden in every letter case', async () => {
  const [privateLabel = { id: '' }] = (mock.tenants.get('acme')?.records.seed.labels ?? []).filter(
    ({ visibility }) => visibility === 'private',
  );
  const params = { id: acme.open, labelId: capitals(privateLabel.id) };
  expect((await client.call('applyConversationLabel', { params })).status).toBe(404);
  expect(mock.journal.list({ status: 404 })[0]?.refused).toBe('private-label');
});

it('compares ids of sites and clients letter by letter', async () => {
  expect((await client.call('getSite', { params: { id: capitals(acme.site) } })).status).toBe(404);
  const id = acme.client.replace(/[0-9a-f-]{36}$/, capitals);
  expect((await client.call('getClient', { params: { id } })).status).toBe(404);
});

it('writes UUIDs of a tenant in lower case, finds two spellings of one to be the same, and restores either', async () => {
  const [id, other] = ['ABCDEF00-0000-4000-8000-000000000001', 'ABCDEF00-0000-4000-8000-000000000002'];
  const labels = [{ id: other, name: 'vip', visibility: 'public' as const }];
  const keys = [{ name: 'full', secret: 'upper-fake-secret-1', scopes: ['conversation:write' as const] }];
  const upper = await defineTenant({ tenant: 'upper', keys, labels, conversations: [{ id }] });
  const own = await createMock({ seeds: [upper] });
  const applied = await contractClient(own, 'upper-fake-secret-1').call('applyConversationLabel', {
    params: { id, labelId: other },
  });
  expect(applied.body).toEqual({
    conversationId: id.toLowerCase(),
    labels: [{ id: other.toLowerCase(), name: 'vip' }],
  });
  const snapshot = JSON.stringify(await own.snapshot()).replaceAll(/abcdef00/g, 'ABCDEF00');
  own.reset();
  await own.restore(JSON.parse(snapshot));
  expect(own.labels.of('upper', { conversation: id })).toEqual([expect.objectContaining({ name: 'vip' })]);
  const twice = [{ id }, { id: id.toLowerCase() }];
  await expect(defineTenant({ tenant: 'upper', keys, conversations: twice })).rejects.toThrow(/already used/);
});
