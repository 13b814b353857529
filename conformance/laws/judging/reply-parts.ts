import { canonicalJson } from '../../../spec/text/canonical-json.ts';
import { type Exchange, isObject, jsonOf, valuesOf } from '../../history/exchange.ts';
import { perObject } from '../../per-object.ts';

/** Characters. Shorter values may be equal by chance: bare ids are numbers, and many tenants have a client Smith. */
export const minLength = 16;

export const words = (text: string) => text.trim().split(/\s+/).length;

/** Whether the text is so long that two people do not write it by chance. */
export const isText = (text: string) => text.length >= minLength && (words(text) >= 3 || /^\S+@\S+$/.test(text));

/** How an instant begins. */
export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Each text with each instant in the same object. */
export const datedTexts = cached((exchange): { readonly text: string; readonly pair: string }[] => {
  const pairs: { text: string; pair: string }[] = [];
  for (const [, value] of valuesOf(jsonOf(exchange))) {
    if (!isObject(value)) continue;
    const leaves = Object.values(value).filter((one) => typeof one === 'string');
    if (leaves.length < 3) continue;
    for (const at of leaves.filter((one) => instant.test(one)))
      for (const text of leaves.filter(isText)) pairs.push({ text, pair: `${at} ${text}` });
  }
  return pairs;
});

/** The objects in the lists of a reply that have three texts or more, as JSON. */
export const membersOf = cached(
  (exchange): ReadonlySet<string> =>
    new Set(
      [...valuesOf(jsonOf(exchange))].flatMap(([, value]) =>
        Array.isArray(value)
          ? value.filter((one) => isObject(one) && textsIn(one) >= 3).map((one) => canonicalJson(one))
          : [],
      ),
    ),
);

/** The texts of such an object. */
export const leavesOf = (member: string): readonly string[] =>
  Object.values(JSON.parse(member)).filter((one) => typeof one === 'string');

/** The associated conversations among these objects. */
export const conversationsOf = cached(
  (exchange): ReadonlySet<string> => new Set([...membersOf(exchange)].filter(isConversation)),
);

/** An associated conversation: with its friendly id, a subject and a time. */
function isConversation(member: string): boolean {
  const { friendlyId, subject, statusLastUpdatedAt } = JSON.parse(member);
  return (
    [friendlyId, subject].every((one) => typeof one === 'string' && one !== '') && instant.test(statusLastUpdatedAt)
  );
}

const personalFields = new Set(['requester', 'address', 'primaryPhoneNumber', 'primaryEmail']);

/** Requesters, addresses, phone numbers and mail addresses of a reply. */
export const personalIn = cached(
  (exchange): ReadonlySet<string> =>
    new Set(
      [...valuesOf(jsonOf(exchange))].flatMap(([path, value]) =>
        typeof value === 'string' && value.length >= 5 && personalFields.has(String(path.at(-1))) ? [value] : [],
      ),
    ),
);

const textsIn = (object: object) => Object.values(object).filter((one) => typeof one === 'string' && one !== '').length;

/** The parsed body, or the exchange if that is no object. Equal long bodies share one parsed object, see jsonOf. */
export function replyOf(exchange: Exchange): object {
  const json = jsonOf(exchange);
  return typeof json === 'object' && json !== null ? json : exchange;
}

/** Caches a function of the parsed bodies of replies. */
function cached<T>(compute: (exchange: Exchange) => T): (exchange: Exchange) => T {
  const cache = new WeakMap<object, T>();
  return (exchange) => {
    const reply = replyOf(exchange);
    const result = cache.get(reply) ?? compute(exchange);
    cache.set(reply, result);
    return result;
  };
}

export const stringsOf = cached((exchange): readonly string[] =>
  [...valuesOf(jsonOf(exchange))].flatMap(([, value]) => (typeof value === 'string' ? [value] : [])),
);

/** All strings of a JSON reply, or the whole body of another reply. */
export const textsOf = (exchange: Exchange): readonly string[] =>
  jsonOf(exchange) === undefined ? [exchange.body ?? ''] : stringsOf(exchange);

export const replyTextOf = perObject(({ body, headers }: Exchange) =>
  decoded(`${body} ${Object.values(headers).join(' ')}`).toLowerCase(),
);

const requestTextOf = perObject(({ url, requestHeaders, requestBody }: Exchange) =>
  decoded(`${url} ${Object.values(requestHeaders).join(' ')} ${requestBody ?? ''}`).toLowerCase(),
);

/** Whether the request contained the value, so that the reply only echoes it. */
export const wasSent = (exchange: Exchange, value: string) => requestTextOf(exchange).includes(value);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What two replies out of three to a request contain, each with the first of these replies. */
export function mostlyIn(
  replies: readonly Exchange[],
  partsOf: (exchange: Exchange) => ReadonlySet<string>,
): Map<string, Exchange> {
  const shown = new Map<string, Exchange[]>();
  for (const one of replies) for (const part of partsOf(one)) shown.set(part, [...(shown.get(part) ?? []), one]);
  return new Map(
    [...shown].flatMap(([part, [first, ...more]]) =>
      first !== undefined && (more.length + 1) * 3 >= replies.length * 2 ? [[part, first] as const] : [],
    ),
  );
}
