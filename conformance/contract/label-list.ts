/** A list of labels: records, each with its id where a spare label has its own. A record may name other labels as well, such as its parent. */
import { uuid } from '../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, valuesOf } from '../history/exchange.ts';
import type { NamedLabel } from '../target/records.ts';

type Fields = Readonly<Record<string, unknown>>;

export const isSameText = (value: unknown, text: string): boolean => String(value).toLowerCase() === text.toLowerCase();

/** The name of the property with this text. */
export const fieldWith = (record: Fields, text: string | undefined): string | undefined =>
  text === undefined ? undefined : Object.keys(record).find((name) => isSameText(record[name], text));

const recordsIn = (list: Exchange): Fields[] =>
  valuesOf(jsonOf(list)).flatMap(([, value]) => (isObject(value) ? [value] : []));

/** The listed labels with their records. Labels may also be listed by id. */
export function labelsListed(
  list: Exchange,
  spares: readonly NamedLabel[],
): { readonly id: string; readonly record: Fields }[] {
  const records = recordsIn(list);
  const [name = 'id'] = records.flatMap((record) => spares.flatMap(({ id }) => fieldWith(record, id) ?? []));
  return records.flatMap((record) => [
    ...(typeof record[name] === 'string' ? [{ id: record[name], record }] : []),
    ...Object.keys(record).flatMap((id) => (uuid.test(id) ? [{ id, record }] : [])),
  ]);
}
