/** What replies show: the labels of a list, and what must not depend on the key, because all keys of a tenant see the same. */
import { uuid } from '../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { type Deployment, keyNamed } from '../target/deployment.ts';
import { type NamedLabel, sparesOf, tenantsOf } from '../target/records.ts';

/** Fields of a context that no write of a run changes. */
const lasting = ['subject', 'messages', 'sites', 'participants'];

/** Texts that no write of the run changes: those of the listed labels, and of a context without its labels. */
function factsIn(exchange: Exchange, written: readonly string[]): ReadonlySet<string> {
  const isFact = (path: readonly (string | number)[]) =>
    exchange.operation === 'listLabels' ? path.length > 1 : lasting.includes(String(path[0]));
  return new Set(
    valuesOf(jsonOf(exchange)).flatMap(([path, value]) =>
      typeof value === 'string' && value !== '' && isFact(path) && !written.some((one) => value.includes(one))
        ? [value]
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
      const [first = new Set<string>(), ...more] = shown.map((one) => factsIn(one, written));
      const seen = new Set(others.flatMap((one) => [...factsIn(one, written)]));
      for (const fact of first)
        if (!seen.has(fact) && more.every((facts) => facts.has(fact))) return { fact, shownTo, from };
    }
  return null;
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

const isSameText = (value: unknown, text: string): boolean => String(value).toLowerCase() === text.toLowerCase();

/** The name of the property with this text. */
export const fieldWith = (record: Fields, text: string | undefined): string | undefined =>
  text === undefined ? undefined : Object.keys(record).find((name) => isSameText(record[name], text));

/**
 * The ids of the labels of a list: of records, each where a spare label has its own, and of labels by id; or of a list of texts, each with an id, if
 * no record has the id of a spare label.
 */
export function labelsListed(list: Exchange, spares: readonly NamedLabel[]): string[] {
  const values = valuesOf(jsonOf(list));
  const records = values.flatMap(([, value]) => (isObject(value) ? [value] : []));
  const [name] = records.flatMap((record) => spares.flatMap(({ id }) => fieldWith(record, id) ?? []));
  const texts = values.flatMap(([path, value]) =>
    name === undefined && typeof path.at(-1) === 'number' && typeof value === 'string' ? value.split(/[^\da-f-]/i) : [],
  );
  const ids = records.map((record) => record[name ?? 'id']).filter((id) => typeof id === 'string');
  return [...ids, ...[...records.flatMap(Object.keys), ...texts].filter((id) => uuid.test(id))];
}
