import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../clock.ts';
import { createMock, type Mock } from '../create-mock.ts';
import { hashOf } from '../keys/secret.ts';
import { acme } from '../proof/acme.ts';
import { contractClient, type Json } from '../proof/contract-client.ts';
import { memoryFiles } from '../storage/files.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const create = () => createMock({ clock: createClock(() => now), files: memoryFiles() });
let mock: Mock;
let client: ReturnType<typeof contractClient>;
beforeEach(async () => {
  mock = await create();
  client = contractClient(mock, acme.full);
});

async function upload(text: string, of = mock): Promise<string> {
  const { call, send } = contractClient(of, acme.full);
  const { body } = await call('startSiteFileUpload', { params: { id: acme.site }, body: { contentType: 'a/b' } });
  const { pathname, search } = new URL(body.uploadUrl);
  await send('PUT', pathname + search, { body: text, key: undefined, headers: { 'content-type': 'a/b' } });
  return body.fileKey;
}

/** A mock in which everything differs from its seeds. */
async function used() {
  const fileKey = await upload('hello');
  await client.call('registerSiteFile', { params: { id: acme.site }, body: { fileKey, name: 'a.txt' } });
  const pending = await upload('half-way');
  mock.labels.apply('acme', { conversation: acme.open }, 'gate code needed');
  mock.labels.apply('acme', { site: acme.legacySite }, 'internal-risk');
  mock.labels.apply('acme', { client: acme.client, site: acme.site }, 'internal-risk');
  const key = mock.keys.create('acme', { name: 'made', scopes: ['site:read'], rateLimit: { perSecond: 1, burst: 2 } });
  mock.keys.revoke({ tenant: 'acme', name: 'limits' });
  const clone = mock.tenants.create({ from: 'acme', name: 'clone' });
  mock.labels.apply('clone', { site: clone.ids[acme.legacySite] ?? '' }, 'vip');
  mock.tenants.remove('initech');
  mock.clock.freeze(now + 5000);
  return { fileKey, pending, key, clone };
}

const text = async (of: Mock, fileKey: string) => new TextDecoder().decode(await of.files.bytes(fileKey));
const asJson = async (of: Mock): Promise<Json> => JSON.parse(JSON.stringify(await of.snapshot()));
const withoutBlobs = (json: Json) =>
  JSON.parse(JSON.stringify({ ...json, content: Object.values(json.content).sort() }), (name, value) =>
    name === 'blob' ? undefined : value,
  );

describe('a snapshot', () => {
  it('restored in another mock gives the same state, bytes included', async () => {
    const { fileKey, pending, key, clone } = await used();
    const snapshot = await asJson(mock);
    const other = await create();
    await other.restore(snapshot);
    expect(withoutBlobs(await asJson(other))).toEqual(withoutBlobs(snapshot));
    expect([await text(other, fileKey), await text(other, pending)]).toEqual(['hello', 'half-way']);
    expect([...other.tenants.keys()]).toEqual(['acme', 'globex', 'clone']);
    expect(other.clock.now()).toBe(now + 5000);
    const { call } = contractClient(other, key.secret);
    expect((await call('getSite', { params: { id: acme.site } })).status).toBe(200);
    expect(
      (await call('getSite', { key: clone.keys.full?.secret, params: { id: clone.ids[acme.site] ?? '' } })).status,
    ).toBe(200);
    other.reset('clone');
    expect((await call('getHealth', { key: clone.keys.full?.secret })).status).toBe(200);
    other.reset();
    expect([...other.tenants.keys()].sort()).toEqual(['acme', 'globex', 'initech']);
  });

  it('restored in the same mock undoes later changes, also of an overwritten file', async () => {
    const { fileKey } = await used();
    const before = await asJson(mock);
    const empty = await asJson(await create());
    await mock.restore(empty);
    expect(mock.files.list()).toEqual([]);
    expect(mock.tenants.has('clone')).toBe(false);
    await mock.restore(before);
    expect(await text(mock, fileKey)).toBe('hello');
    expect(withoutBlobs(await asJson(mock))).toEqual(withoutBlobs(before));
  });

  it('contains every byte of a file, whatever the size of the chunks', async () => {
    const bytes = Uint8Array.from({ length: 20_001 }, (_, at) => (at * 7) % 256);
    const fileKey = await upload('');
    expect(mock.files.get(fileKey)?.size).toBe(0);
    const snapshot = await asJson(mock);
    const { stored } = snapshot.tenants[0].files[0];
    const base64 = Buffer.from(bytes).toString('base64');
    snapshot.content[stored.blob] = base64;
    stored.size = bytes.length;
    stored.etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    await mock.restore(snapshot);
    const again = await asJson(mock);
    expect(Object.values(again.content)).toEqual([base64]);
  });

  it('without content needs the same file store', async () => {
    const { fileKey } = await used();
    const snapshot = await mock.snapshot({ content: false });
    await mock.restore(snapshot);
    expect(await text(mock, fileKey)).toBe('hello');
    await expect((await create()).restore(snapshot)).rejects.toThrow('neither in the snapshot nor');
  });

  it('holds no secret', async () => {
    const { key, clone } = await used();
    const json = JSON.stringify(await mock.snapshot());
    const secrets = [acme.full, key.secret, ...Object.values(clone.keys).map(({ secret }) => secret)];
    expect(secrets.filter((secret) => json.includes(secret))).toEqual([]);
  });

  it('of older fixtures leaves a new tenant as in its seed', async () => {
    const snapshot = await asJson(mock);
    snapshot.tenants = snapshot.tenants.filter(({ name }: { name: string }) => name !== 'initech');
    await mock.restore(snapshot);
    expect(mock.tenants.has('initech')).toBe(true);
  });
});

it('restores a clock that was advanced by many years', async () => {
  for (let i = 0; i < 5; i++) mock.clock.advance('3650d');
  const other = await create();
  await other.restore(await asJson(mock));
  expect(other.clock.now()).toBe(mock.clock.now());
});

describe('a snapshot with anything wrong in it is refused whole', () => {
  it.each<[string, string, unknown, string]>([
    ['another version', 'version', 2, 'version'],
    ['an unknown property', 'extra', 1, 'extra: unknown property'],
    ['an unknown tenant', 'tenants.0.name', 'nobody', 'tenants[0].name: this mock has no seed of a tenant nobody'],
    ['a tenant twice', 'tenants.1.name', 'acme', 'the tenant acme is there twice'],
    ['a label nobody has', 'tenants.0.labels.0.labels', [acme.open], 'has no label'],
    [
      'a conversation nobody has',
      'tenants.0.labels.0',
      { conversation: acme.vip, labels: [] },
      'labels[0]: tenant acme has no such record',
    ],
    ['a link nobody has', 'tenants.0.labels.0', { client: 'ovcid-x', site: 'y', labels: [] }, 'labels[0]'],
    ['labels of nothing', 'tenants.0.labels.0', { labels: [] }, 'labels[0]: tenant acme has no such record'],
    ['a secret twice', 'tenants.1.keys.0.hash', hashOf(acme.full), 'is there twice'],
    ['a hash that is none', 'tenants.0.keys.0.hash', acme.full, 'keys[0].hash: must be a SHA-256'],
    ['a path for a name', 'tenants.0.files.0.stored.blob', '../../etc/passwd', 'blob: must be a UUID'],
    ['a file of no site', 'tenants.0.files.0.site', 'nowhere', 'has no site nowhere'],
    [
      'a dangling relation',
      'tenants.2.clone.seed.conversations.0.sites',
      ['nowhere'],
      'no site "nowhere" in this tenant',
    ],
    ['a clock beyond all dates', 'clock.offset', 1e18, 'clock.offset'],
  ])('%s', async (_, path, value, problem) => {
    await used();
    const before = await asJson(mock);
    const changed = structuredClone(before);
    const steps = path.split('.');
    steps.slice(0, -1).reduce((part, step) => part[step], changed)[steps.at(-1) ?? ''] = value;
    await expect(mock.restore(changed, 'here')).rejects.toThrow(problem);
    expect(await asJson(mock)).toEqual(before);
  });

  it.each(['files', 'keys'])('very many %s that are none', async (kind) => {
    const snapshot = await asJson(mock);
    snapshot.tenants[0][kind] = Array.from({ length: 200_000 }, () => ({}));
    const refused: unknown = await mock.restore(snapshot, 'here').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      problems: { length: 100, 0: `here: tenants[0].${kind}[0].${kind === 'keys' ? 'id' : 'fileKey'}: is missing` },
    });
  });

  it('no object at all', async () => {
    await expect(mock.restore('text', 'here')).rejects.toThrow('here: must be an object');
  });
});
