import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock } from '../create-mock.ts';
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

  it('keeps its labels through a snapshot and through reading the same file again, not through another file', async () => {
    const [seed] = await loadSeeds(await file(...lines));
    const generated = await createMock({ seeds: seed === undefined ? [] : [seed] });
    const spare = seed?.labels.find(({ name }) => name === 'spare')?.id;
    const labels = () => {
      const { conversations, sites, links } = generated.tenant('large').records;
      const holders = [conversations, sites, links].flatMap((kind) => [...kind.values()].slice(0, 3));
      return holders.map((holder) => [...generated.tenant('large').labelsOf(holder)].includes(spare ?? ''));
    };
    const [conversation = ''] = generated.tenant('large').conversations.all.keys();
    const [site = ''] = generated.tenant('large').sites.all.keys();
    const [link] = generated.tenant('large').records.links.values();
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
});

it.each([
  ['a record was changed', lines.map((line) => line.replace('"home"', '"work"'))],
  ['it is cut off', lines.slice(0, -1)],
  ['a record is missing', lines.toSpliced(14, 1)],
  ['text was added', [...lines, '\n']],
  ['it is something else', ['{"tenant":"acme"}\n']],
  ['it is empty', []],
])('a generated tenant is refused when %s', async (_, content) => {
  await expect(loadSeeds(await file(...content))).rejects.toThrow('not a generated tenant, or was changed or cut off');
});
