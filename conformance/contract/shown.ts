/** What replies show: the labels of a list, and what must not depend on the key, because all keys of a tenant see the same. */
import { uuid } from '../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { keyNamed } from '../target/keys.ts';
import { type NamedLabel, sparesOf, tenantsOf } from '../target/records.ts';

/** Fields of a context that no write of a run changes. */
const lasting = ['subject', 'messages', 'sites', 'participants'];

const namesIn = (path: readonly (string | number)[]) => path.filter((one) => typeof one === 'string');

/** Texts that no write of the run changes, with where they stand: those of the listed labels, and of a context without its labels. */
function factsIn(exchange: Exchange, written: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const isFact = (path: readonly (string | number)[]) =>
    exchange.operation === 'listLabels' ? path.length > 1 : lasting.includes(String(path[0]));
  return new Map(
    valuesOf(jsonOf(exchange)).flatMap(([path, value]) =>
      typeof value === 'string' && value !== '' && isFact(path) && !written.some((one) => value.includes(one))
        ? [[value, namesIn(path)]]
        : [],
    ),
  );
}

/**
 * Something that one key is shown and another is not, although that one has every scope of the first.
 * @param replies to the same request with several keys of one tenant, each more than once
 */
export function hiddenIn(replies: readonly Exchange[], deployment: Deployment) {
  const written = tenantsOf(deployment)
    .flatMap(sparesOf)
    .flatMap(({ id, name = id }) => [id, name]);
  const isRead = ({ operation }: Exchange) => operation === 'listLabels' || operation === 'getConversationContext';
  const byKey = Map.groupBy(
    replies.filter((one) => isRead(one) && succeeded(one)),
    ({ key }) => key ?? '',
  );
  const scopesOf = (name: string) => keyNamed(deployment, name)?.scopes ?? [];
  for (const [shownTo, shown] of byKey)
    for (const [from, others] of byKey) {
      if (from === shownTo || !scopesOf(shownTo).every((scope) => scopesOf(from).includes(scope))) continue;
      const [first = new Map<string, string[]>(), ...more] = shown.map((one) => factsIn(one, written));
      const seen = new Set(others.flatMap((one) => [...factsIn(one, written).keys()]));
      for (const [fact, at] of first)
        if (!seen.has(fact) && more.every((facts) => facts.has(fact)) && !isOfAVersion(at, others))
          return { fact, shownTo, from };
    }
  return null;
}

/** Whether the others have such records, and none has this property: keys may meet two versions during a roll-out. */
function isOfAVersion(names: readonly string[], others: readonly Exchange[]): boolean {
  const values = others.flatMap((one) => valuesOf(jsonOf(one)));
  const same = values.filter(([path]) => namesIn(path).join() === names.slice(0, -1).join());
  const records = same.flatMap(([, value]) => (isObject(value) ? [value] : []));
  return records.length > 0 && !records.some((record) => Object.hasOwn(record, names.at(-1) ?? ''));
}

const start = 'without ';

/** The sign of a reply that does not show a text. */
export const signWithout = (fact: string): string => `${start}${fact}`;

/** Whether the reply shows this sign: a success without the text. */
export const showsWithout = (exchange: Exchange, sign: string): boolean =>
  sign.startsWith(start) &&
  succeeded(exchange) &&
  !valuesOf(jsonOf(exchange)).some(([, value]) => value === sign.slice(start.length));

type Fields = Readonly<Record<string, unknown>>;

export const isSameText = (value: unknown, text: string): boolean => String(value).toLowerCase() === text.toLowerCase();

/** The name of the property with this text. */
export const fieldWith = (record: Fields, text: string | undefined): string | undefined =>
  text === undefined ? undefined : Object.keys(record).find((name) => isSameText(record[name], text));

const recordsIn = (list: Exchange): Fields[] =>
  valuesOf(jsonOf(list)).flatMap(([, value]) => (isObject(value) ? [value] : []));

/** The listed labels with their records, each of which has its id where a spare label has its own. Labels may also be listed by id. */
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
