import { expect, it } from 'vitest';
import { ByteKeys } from './byte-keys.ts';

it('numbers texts in their order, finds each again wherever it stands, and no other', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `ovcid-${String(i * 4_001).padStart(8, '0')}-4000`);
  const bytes = Buffer.from(ids.join(''));
  const { length } = ids[0] ?? '';
  const keys = new ByteKeys();
  const add = () => ids.filter((_, i) => keys.add(bytes, i * length, (i + 1) * length));
  expect(add()).toEqual(ids);
  expect(add()).toEqual([]);
  const find = (change: (id: string) => string) =>
    ids.map((id) => keys.find(Buffer.from(`"${change(id)}"`), 1, change(id).length + 1));
  expect(find((id) => id)).toEqual([...ids.keys()]);
  expect(new Set(find((id) => `${id}0`))).toEqual(new Set([-1]));
  expect(new Set(find((id) => id.replace('-4000', '-4001')))).toEqual(new Set([-1]));
});
