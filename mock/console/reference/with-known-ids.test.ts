import { expect, it } from 'vitest';
import { withKnownIds } from './with-known-ids.ts';

const parameters = [
  { name: 'id', in: 'path', schema: { examples: ['example-site', '10042'] } },
  { name: 'labelId', in: 'path', schema: { examples: ['example-label'] } },
];
const example = {
  siteId: 'example-site',
  former: '10042',
  labels: [{ id: 'example-label' }, { id: 'another' }],
  note: 'at example-site',
};

it('replaces the ids of the example by ids of the tenant, and leaves other values alone', () => {
  expect(withKnownIds(example, parameters, { id: 's"1', labelId: '' })).toEqual({
    siteId: 's"1',
    former: 's"1',
    labels: [{ id: 'example-label' }, { id: 'another' }],
    note: 'at example-site',
  });
  expect(withKnownIds(undefined, parameters, {})).toBeNull();
});
