/** Private labels in replies: their ids, and their names where labels are named and nobody writes sentences. */
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { minName, noChance } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import { privatesOf, tenantsOf } from '../target/records.ts';
import { askedText, isAWordIn, type Leak, wholeReply } from './leaks.ts';

export function* privatesIn(exchanges: readonly Exchange[], deployment: Deployment): Generator<Leak> {
  const hidden = tenantsOf(deployment).flatMap(privatesOf);
  if (hidden.length === 0) return;
  const ids = new Set(hidden.map(({ id }) => id.toLowerCase()));
  const names = publicNames(exchanges, ids);
  const memo = new Map<string, readonly string[]>();
  for (const exchange of exchanges) {
    if (exchange.body === null) continue;
    const whole = wholeReply(exchange);
    const found = memo.get(whole) ?? [...hiddenIn(exchange, whole, hidden, names)];
    memo.set(whole, found);
    const sent = found.length > 0 ? askedText(exchange) : '';
    const what = found.find((one) => !sent.includes(one.toLowerCase()));
    if (what) yield { exchange, what: `the private label ${what}` };
  }
}

function* hiddenIn(
  exchange: Exchange,
  whole: string,
  hidden: readonly { readonly id: string; readonly name?: string | undefined }[],
  names: readonly string[],
): Generator<string> {
  for (const { id, name } of hidden) {
    if (whole.includes(id.toLowerCase())) yield id;
    if (name === undefined || name.length < minName || names.includes(name.toLowerCase())) continue;
    if (!whole.includes(name.toLowerCase()) && !whole.includes('\\')) continue;
    const texts = succeeded(exchange) ? [...placesOfNames(exchange)] : [whole];
    // A public name that contains the private one is no private label.
    const without = (text: string) => names.reduce((rest, one) => rest.replaceAll(one, ' '), text.toLowerCase());
    const isShown = (text: string) =>
      isAWordIn(name.toLowerCase(), without(text)) && !(succeeded(exchange) && isProse(without(text), name));
    if ([...texts, ...Object.values(exchange.headers)].some(isShown)) yield name;
  }
}

/** Texts of a reply that no person writes: what stands in messages and subjects may be any word. */
function* placesOfNames(exchange: Exchange): Generator<string> {
  for (const [path, value] of valuesOf(jsonOf(exchange))) {
    if (path.includes('messages') || /subject|text|body|address/i.test(String(path.at(-1)))) continue;
    if (typeof path.at(-1) === 'string') yield String(path.at(-1));
    if (typeof value === 'string') yield value;
  }
}

/** Whether the name stands among words of a sentence, which somebody wrote: in a list there is nothing else. */
const isProse = (text: string, name: string) =>
  text
    .replaceAll(name.toLowerCase(), ' ')
    .split(/[^\p{L}]+/u)
    .filter(Boolean).length >= noChance;

/** Names of public labels, as they are listed, the longest first. */
function publicNames(exchanges: readonly Exchange[], hidden: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const list of exchanges.filter((one) => one.operation === 'listLabels' && succeeded(one)))
    for (const [, record] of valuesOf(jsonOf(list))) {
      if (!isObject(record)) continue;
      const values = Object.values(record).filter((one) => typeof one === 'string');
      if (!values.some((one) => hidden.has(one.toLowerCase())))
        for (const one of [record.name, record.title, record.label])
          if (typeof one === 'string') names.add(one.toLowerCase());
    }
  return [...names].sort((a, b) => b.length - a.length);
}
