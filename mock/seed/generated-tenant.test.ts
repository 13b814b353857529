import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parameterExamples } from '../control/parameter-examples.ts';
import { clientView, conversationView, siteView } from '../control/record-view.ts';
import { targetOf } from '../control/target-of.ts';
import { tenantData } from '../control/tenant-data.ts';
import { createMock } from '../create-mock.ts';
import { linkKey } from '../store/records.ts';
import { generatedTenant } from './generated-tenant.ts';
import { loadSeeds } from './load.ts';
import { seedFromDocument } from './seed-from-document.ts';

const options = { tenant: 'large', conversations: 40, seed: 7, keys: 2 };
const lines = [...generatedTenant(options)];
let folder = '';
const file = async (...content: readonly string[]) => {
  const path = join(folder, 'large.tenant.jsonl');
  await writeFile(path, content.join(''));
  return path;
};

/** Mocks of the tenant as it is generated, and of the same records as if they were written by hand. */
const both = async () => {
  const seeds = await loadSeeds(await file(...lines));
  return { generated: await createMock({ seeds }), whole: await createMock({ seeds: structuredClone(seeds) }) };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partnerkit-generated-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a generated tenant', () => {
  it('is the same for the same seed and another one for another', () => {
    expect([...generatedTenant(options)]).toEqual(lines);
    expect([...generatedTenant({ ...options, seed: 8 })][5]).not.toBe(lines[5]);
  });

  it('is read from a file or from a folder, and served', async () => {
    const path = await file(...lines);
    const [seed] = await loadSeeds(path);
    expect(await loadSeeds(folder)).toEqual([seed]);
    const mock = await createMock({ seeds: seed === undefined ? [] : [seed], rateLimit: false });
    const id = seed?.conversations[39]?.id;
    const headers = { 'x-api-key': seed?.keys[1]?.secret };
    const url = `/v1/conversation/${id}/context`;
    expect((await mock.handle({ method: 'GET', url, headers, origin: '', body: null })).status).toBe(200);
  });

  it('keeps every rule of a tenant written by hand', async () => {
    const [seed] = await loadSeeds(await file(...lines));
    expect(await seedFromDocument(structuredClone(seed), 'large')).toEqual(seed);
  });
});

describe('a generated tenant, whose records are read when somebody asks for them,', () => {
  it('shows the same as one that is read whole', async () => {
    const { generated, whole } = await both();
    const [one, other] = [generated.tenant('large'), whole.tenant('large')];
    expect(tenantData(generated, one)).toEqual(tenantData(whole, other));
    expect(targetOf(generated, '')).toEqual(targetOf(whole, ''));
    expect(parameterExamples(generated, 'large')).toEqual(parameterExamples(whole, 'large'));
    for (const [id, view] of [
      ...[...other.conversations.keys()].map((id) => [id, conversationView] as const),
      ...[...other.sites.keys()].map((id) => [id, siteView] as const),
      ...[...other.clients.keys()].map((id) => [id, clientView] as const),
    ]) {
      expect(view(one, id)).toEqual(view(other, id));
    }
    const { records } = one;
    for (const kind of [records.conversations, records.sites, records.clients, records.links]) {
      expect([...kind.keys()].every((id) => kind.has(id))).toBe(true);
      expect([kind.has(linkKey('no', 'body')), kind.get(linkKey('no', 'body'))]).toEqual([false, undefined]);
      expect([...kind].length).toBe(kind.size);
    }
  });

  it('is copied with ids of its own', async () => {
    const { generated } = await both();
    const { name, ids } = generated.tenants.create({ from: 'large' });
    const [id = ''] = generated.tenant('large').conversations.keys();
    expect(generated.tenant(name).conversations.get(ids[id] ?? '')?.seed.subject).toBe(
      generated.tenant('large').conversations.get(id)?.seed.subject,
    );
    expect(generated.tenant(name).conversations.has(id)).toBe(false);
  });

  it('keeps its labels through a snapshot and through reading the same file again, not through another file', async () => {
    const { generated } = await both();
    const [seed] = await loadSeeds(await file(...lines));
    const spare = seed?.labels.find(({ name }) => name === 'spare')?.id;
    const labels = () => {
      const { conversations, sites, links } = generated.tenant('large').records;
      const holders = [conversations, sites, links].flatMap((kind) => [...kind.values()].slice(0, 3));
      return holders.map((holder) => [...generated.tenant('large').labelsOf(holder)].includes(spare ?? ''));
    };
    const [conversation = ''] = generated.tenant('large').conversations.keys();
    const [site = ''] = generated.tenant('large').sites.keys();
    const [link] = generated.tenant('large').links.values();
    const seeded = labels();
    for (const holder of [{ conversation }, { site }, { client: link?.client ?? '', site: link?.site ?? '' }]) {
      generated.labels.apply('large', holder, 'spare');
    }
    const changed = labels();
    expect(changed).not.toEqual(seeded);
    const snapshot = await generated.snapshot();
    generated.reset();
    expect(labels()).toEqual(seeded);
    await generated.restore(snapshot, 'here');
    expect(labels()).toEqual(changed);
    expect((await generated.snapshot()).tenants).toEqual(snapshot.tenants);
    generated.reseed(await loadSeeds(await file(...lines)));
    expect(labels()).toEqual(changed);
    generated.reseed(await loadSeeds(await file(...generatedTenant({ ...options, keys: 3 }))));
    expect(labels()).toEqual(seeded);
  });

  it('may have labels with every character', async () => {
    const strange = 'a "quoted" \\ label: {é}\n';
    const renamed = lines.slice(0, -1).map((line) => line.replaceAll('"warranty"', JSON.stringify(strange)));
    const sha256 = createHash('sha256').update(renamed.join('')).digest('hex');
    const [seed] = await loadSeeds(await file(...renamed, `${JSON.stringify({ sha256 })}\n`));
    expect(seed?.conversations.filter(({ labels }) => labels?.includes(strange))).not.toEqual([]);
  });
});

describe('a generated tenant is refused', () => {
  const at = (kind: string) => lines.findIndex((line) => line.startsWith(`{"${kind}"`));
  const changed = (index: number, change: (line: string) => string) =>
    lines.map((line, i) => (i === index ? change(line) : line));

  it.each([
    ['when a record was changed', () => changed(3, (line) => line.replace('"home"', '"work"')), 'changed since'],
    ['when it is cut off', () => lines.slice(0, -1), 'cut off'],
    ['when a client is missing', () => lines.toSpliced(at('client'), 14), 'no client ovcid-'],
    ['when a site is missing', () => lines.toSpliced(at('site'), 10), 'no site ovaid-'],
    [
      'when a record is there twice',
      () => lines.toSpliced(3, 0, lines[3] ?? ''),
      'large.tenant.jsonl:5: a second client',
    ],
    [
      'when a label is unknown',
      () => changed(0, (line) => line.replaceAll('"warranty"', '"guarantee"')),
      'no label warranty',
    ],
    [
      'when an agent is unknown',
      () => changed(0, (line) => line.replaceAll(/"users":.*?\]/g, '"users":[]')),
      'no user ',
    ],
    ['when it is something else', () => ['{"tenant":"acme"}\n'], 'not of the format'],
    ['when it is no JSON', () => ['tenant: acme\n'], 'not a line of JSON'],
    ['when it is in UTF-16', () => ['{\0"\0'], 'it is in UTF-16'],
    ['when it is empty', () => [], 'empty'],
    ['when a line is cut', () => changed(at('conversation'), (line) => `${line.slice(0, 40)}\n`), 'changed since'],
  ])('%s', async (_, content, problem) => {
    await expect(loadSeeds(await file(...content()))).rejects.toThrow(problem);
  });
});
