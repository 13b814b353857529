import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../check.ts';
import type { Reply } from '../reply.ts';
import { labelReader, listedLabels } from './label-reader.ts';

const [vip, warranty, spare, tenant] = [1, 2, 3, 9].map((n) => `1abe1001-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
const site = { kind: 'site', id: '7' } as const;
const reply = (json: unknown): Reply => ({ status: 200, json, planned: false, what: '' }) as Reply;

describe('the labels in a list', () => {
  it.each([
    ['records', { labels: [{ id: vip, name: 'vip' }] }, [{ id: vip, texts: ['vip'] }]],
    ['bare records', [{ labelId: vip, title: 'vip' }], [{ id: vip, texts: ['vip'] }]],
    ['records that name their tenant', [{ tenantId: tenant, id: vip, name: 'vip' }], [{ id: vip, texts: ['vip'] }]],
    ['ids', { data: { items: [vip, warranty] } }, [vip, warranty].map((id) => ({ id, texts: [] }))],
    ['nothing', { labels: [] }, []],
  ])('are found as %s', (_, json, expected) => {
    expect(listedLabels(reply(json))).toEqual(expected);
  });
});

/** What reading asks for, given the list of labels and what the holder carries. */
async function reading(list: unknown, before: unknown): Promise<string> {
  const asked: string[] = [];
  const call = async (id: string, { params }: CallOptions = {}) => {
    asked.push([id, params?.labelId].filter(Boolean).join(' '));
    return reply(id === 'listLabels' ? list : {});
  };
  const shared = <T>(_: string, make: () => Promise<T>) => make();
  const read = await labelReader({ call, shared, planning: false }, site, reply(before), spare);
  await read();
  return asked.slice(1).join();
}

const records = {
  labels: [
    { id: spare, name: 'spare' },
    { id: vip, name: 'vip' },
    { id: warranty, name: 'warranty' },
  ],
};

describe('reading the labels of a holder', () => {
  it.each([
    ['applies again what it carries, by id', { labels: [{ id: warranty }] }, `applySiteLabel ${warranty}`],
    ['applies again what it carries, by name', ['vip'], `applySiteLabel ${vip}`],
    ['removes again what it does not carry', { siteId: '7', labels: [] }, `removeSiteLabel ${vip}`],
  ])('%s', async (_, before, asked) => {
    expect(await reading(records, before)).toBe(asked);
  });

  it.each([
    ['what it carries is named otherwise', records, ['L1']],
    ['there is no list in the reply', records, { ok: true }],
    ['a name stands outside of any list', records, { siteId: 'vip', labels: ['L1'] }],
    [
      'two labels have the name',
      [
        { id: vip, name: 'x' },
        { id: warranty, name: 'x' },
      ],
      ['x'],
    ],
    ['there is no other label', [{ id: spare, name: 'spare' }], []],
  ])('asks for nothing where %s', async (_, list, before) => {
    await expect(reading(list, before)).rejects.toThrow('needs a second public label');
  });
});
