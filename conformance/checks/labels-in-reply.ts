import { hasValue, type Reply, valuesOf } from '../reply.ts';
import type { ListedLabel } from './label-reader.ts';

/** A label as target files name it. */
export interface NamedLabel {
  readonly id: string;
  readonly name?: string | undefined;
}

/**
 * How often the reply carries the label, by id or by a text that is its own: the items of one array that hold it. An id
 * beside the arrays is an echo of the request; only where there is no array at all is it taken for the label.
 */
export function timesCarried(reply: Pick<Reply, 'json'>, { id, texts }: ListedLabel): number {
  const wanted = new Set([id, ...texts].map((text) => text.toLowerCase()));
  const arrays = [...valuesOf(reply.json)].flatMap(([, value]) => (Array.isArray(value) ? [value] : []));
  if (arrays.length === 0) return hasValue(reply as Reply, id) ? 1 : 0;
  const holds = (item: unknown) =>
    [...valuesOf(item)].some(([, inner]) => typeof inner === 'string' && wanted.has(inner.toLowerCase()));
  return Math.max(...arrays.map((items) => items.filter(holds).length));
}

/** The listed labels that the reply carries, and how often; two shapes of reply can so be compared. */
export function labelsIn(reply: Pick<Reply, 'json'>, listed: readonly ListedLabel[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const label of listed) {
    const times = timesCarried(reply, label);
    if (times > 0) found.set(label.id.toLowerCase(), times);
  }
  return found;
}

/** Labels whose texts no other label has, so that a text tells which label it is; the spare one is among them. */
export function tellingApart(listed: readonly ListedLabel[], spare: NamedLabel): ListedLabel[] {
  const isSpare = ({ id }: NamedLabel) => id.toLowerCase() === spare.id.toLowerCase();
  const all = listed.some(isSpare) ? listed : [...listed, { id: spare.id, texts: spare.name ? [spare.name] : [] }];
  const count = new Map<string, number>();
  for (const { texts } of all) for (const text of new Set(texts)) count.set(text, (count.get(text) ?? 0) + 1);
  return all.map(({ id, texts }) => ({ id, texts: texts.filter((text) => count.get(text) === 1) }));
}
