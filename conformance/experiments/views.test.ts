import { expect, it } from 'vitest';
import { learnView, tokensIn } from './views.ts';

const [x, y] = ['id-x', 'id-y'];
/** Replies after writes of two labels. */
const replies = (named: (id: string) => string) =>
  [[], [x], [x, y], [y], [x, y], [x], []].map((ids) => ({
    json: { labels: ids.map((id) => ({ id, name: named(id) })), names: ids.map(named) },
    carried: new Set(ids),
  }));

it('goes by ids where two labels have one name', () => {
  const view = learnView(
    replies(() => 'spare'),
    [x, y].map((id) => ({ id, name: 'spare' })),
  );
  expect(view).toMatchObject({ at: ['labels'], pick: ['id'] });
});

it('tells labels apart whose names differ in the letter case only', () => {
  const all = replies((id) => (id === x ? 'spare' : 'Spare')).map(({ json, carried }) => ({
    json: { names: ['SPARE', ...json.names] },
    carried,
  }));
  const labels = [
    { id: x, name: 'spare' },
    { id: y, name: 'Spare' },
  ];
  expect(learnView(all, labels)).toMatchObject({ at: ['names'] });
});

it('finds no place in a reply that shows the shared name alone', () => {
  const alone = replies(() => 'spare').map(({ json, carried }) => ({ json: { names: json.names }, carried }));
  expect(
    learnView(
      alone,
      [x, y].map((id) => ({ id, name: 'spare' })),
    ),
  ).toBeNull();
});

it('goes by what old and new nodes show, although a new one that shows more answered first', () => {
  const [x, y, vip] = [1, 2, 3].map((n) => `1abe000${n}-0000-4000-8000-000000000000`) as [string, string, string];
  const mixed = [[], [x], [x, y], [y], [x, y], [x], []].map((ids, i) => ({
    json: { labels: [vip, ...ids].map((id) => (i === 0 ? { colour: 'red', id } : { id })) },
    carried: new Set(ids),
  }));
  const labels = [x, y].map((id) => ({ id, name: id }));
  expect(learnView(mixed, labels)).toMatchObject({ pick: ['id'] });
});

it('reads ids where old nodes show them in place of records', () => {
  const all = replies((id) => `name of ${id}`);
  const mixed = all.map((one, i) => (i % 2 ? { ...one, json: { labels: [...one.carried] } } : one));
  const view = learnView(
    mixed,
    [x, y].map((id) => ({ id, name: id })),
  );
  expect(mixed.map(({ json }) => view && tokensIn(view, json))).toEqual(all.map(({ carried }) => [...carried]));
});

it('finds no place where a label without a name is called like one that others put on', () => {
  const all = replies((id) => (id === x ? 'vip' : 'other')).map(({ json, carried }) => ({
    json: { names: ['vip', ...json.names] },
    carried,
  }));
  expect(learnView(all, [{ id: x }, { id: y, name: 'other' }])).toBeNull();
});

it('takes no name of a property for a label that is called otherwise', () => {
  const carried = [[x], [x, y], [y, x], [y]];
  const nodes = carried.map((ids, i) => ({ json: i < 2 ? { data: { ids } } : { id: 1, ids }, carried: new Set(ids) }));
  const view = learnView(
    nodes,
    [x, y].map((id) => ({ id, name: id })),
  );
  expect(view?.at.at(-1)).toBe('ids');
});
