import { expect, it } from 'vitest';
import { fieldTable } from './field-table.ts';

it('has every field with its path, type, default and meaning', () => {
  const id = { type: 'string', format: 'uuid', description: 'It\nis | <this>.' };
  const rate = { type: 'number', exclusiveMinimum: 0, default: 10 };
  const way = { enum: ['a', 'b'] };
  const item = { type: 'object', properties: { id, rate, way }, required: ['id'] };
  const table = fieldTable({ properties: { $schema: {}, items: { type: 'array', items: item } }, required: ['items'] });
  expect(table.split('\n').slice(2)).toEqual([
    '| `items` | list of object | refused |  |',
    '| `items[].id` | uuid | refused | It is \\| &lt;this>. |',
    '| `items[].rate` | number above 0 | 10 |  |',
    '| `items[].way` | "a", "b" |  |  |',
  ]);
});

it('lists the fields of a map once', () => {
  const entry = (description: string) => ({
    anyOf: [{ type: 'object', properties: { code: { type: 'integer' } } }, { type: 'null' }],
    description,
  });
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const table = fieldTable({ properties: Object.fromEntries(names.map((name) => [name, entry(`Is ${name}.`)])) });
  expect(table.split('\n').slice(2)).toEqual([
    `| \`<name>\` | object or null |  | &lt;name> is one of<br>${names.map((name) => `\`${name}\`: Is ${name}.`).join('<br>')} |`,
    '| `<name>.code` | integer |  |  |',
  ]);
});
