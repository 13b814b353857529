import { describe, expect, it } from 'vitest';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { acme } from '../proof/acme.ts';
import type { Json } from '../proof/contract-client.ts';
import { mockOf } from '../proof/contract-client.ts';

const full = { key: acme.full };
const lines = {
  list: 'GET /v1/labels',
  conversation: `PUT /v1/conversation/${acme.open}/label/${acme.vip}`,
  conversationRemove: `DELETE /v1/conversation/${acme.open}/label/${acme.gateCode}`,
  site: `PUT /v1/site/${acme.site}/label/${acme.vip}`,
  siteRemove: `DELETE /v1/site/${acme.site}/label/${acme.gateCode}`,
  link: `PUT /v1/client/${acme.client}/site/${acme.site}/label/${acme.vip}`,
  linkRemove: `DELETE /v1/client/${acme.client}/site/${acme.site}/label/${acme.gateCode}`,
  context: `GET /v1/conversation/${acme.open}/context`,
};

/** The same request to a mock as decided and to one of these shapes. */
async function both(line: string, shapes: Profile['shapes']): Promise<{ usual: Json; shaped: Json }> {
  const { json: usual } = await (await mockOf({})).ask(line, full);
  const { json: shaped } = await (await mockOf({ shapes })).ask(line, full);
  return { usual, shaped };
}

describe('labels in replies', () => {
  it.each([lines.conversation, lines.conversationRemove])('a bare array of ids: %s', async (line) => {
    const { usual, shaped } = await both(line, { conversationLabels: { at: '', items: 'ids' } });
    expect(shaped).toEqual(usual.labels.map(({ id }: Json) => id));
    expect(shaped.length).toBeGreaterThan(0);
  });

  it.each([lines.link, lines.linkRemove])('names deeper down: %s', async (line) => {
    const { usual, shaped } = await both(line, { clientSiteLabels: { at: 'data.labels', items: 'names' } });
    const { labels, ...holder } = usual;
    expect(shaped).toEqual({ ...holder, data: { labels: labels.map(({ name }: Json) => name) } });
  });

  it('the list of labels elsewhere, as ids', async () => {
    const { usual, shaped } = await both(lines.list, { labelList: { at: 'data', items: 'ids' } });
    expect(shaped).toEqual({ data: usual.labels.map(({ id }: Json) => id) });
  });

  it.each([
    ['link', '/v1/labels?after=4', 'after=4'],
    ['offset', 4, 'after=4'],
    ['page', 2, 'after=2'],
    ['cursor', 'after-4', 'after=after-4'],
  ] as const)('the list of labels in pages, each with a %s to the next', async (as, way, query) => {
    const pages = { size: 4, next: 'paging.next', as, parameter: 'after' };
    const { usual, shaped } = await both(lines.list, { labelList: { at: 'data', pages } });
    expect(shaped).toEqual({ data: usual.labels.slice(0, 4), paging: { next: way } });
    const { json: second } = await (await mockOf({ shapes: { labelList: { pages } } })).ask(
      `${lines.list}?${query}`,
      full,
    );
    expect(second.labels).toEqual(usual.labels.slice(4, 8));
    const { shaped: only } = await both(lines.list, { labelList: { pages: { ...pages, size: 50 } } });
    expect(only).toEqual({ ...usual, paging: { next: null } });
  });

  it.each([lines.list, lines.conversation, lines.site, lines.siteRemove, lines.link])(
    'records with other property names: %s',
    async (line) => {
      const { usual, shaped } = await both(line, { label: { id: 'labelId', name: 'title' } });
      const renamed = usual.labels.map(({ id, name }: Json) => ({ labelId: id, title: name }));
      expect(shaped).toEqual({ ...usual, labels: renamed });
    },
  );

  it('a site keeps siteId and an array of labels, whatever the profile says about the others', async () => {
    const other = { at: '', items: 'ids' } as const;
    for (const line of [lines.site, lines.siteRemove]) {
      const { usual, shaped } = await both(line, {
        labelList: other,
        conversationLabels: other,
        clientSiteLabels: other,
      });
      expect(shaped).toEqual(usual);
    }
  });

  it('ids in the context', async () => {
    const { usual, shaped } = await both(lines.context, { contextLabels: 'ids' });
    const { usual: list } = await both(lines.list, {});
    const nameOf = new Map(list.labels.map(({ id, name }: Json) => [id, name]));
    expect(shaped.labels.map((id: string) => nameOf.get(id))).toEqual(usual.labels);
    expect({ ...shaped, labels: null }).toEqual({ ...usual, labels: null });
  });

  it('two properties of one name are refused', async () => {
    await expect(mockOf({ shapes: { label: { name: 'id' } } })).rejects.toThrow('shapes.label: id and name');
  });
});
