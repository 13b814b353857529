/** Private labels: in replies, by their ids, and by their names where labels are named and nobody writes sentences; and inside the product, by hooks. */

import { askedText, isAWordIn, type Leak, wholeReply } from '../contract/leaks.ts';
import { countWords } from '../experiments/trial.ts';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { type HookCall, namesLabel } from '../history/hook-call.ts';
import { minName, noChance } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import { privatesOf, tenantsOf } from '../target/records.ts';
import { isProved } from './proof.ts';
import type { Judge } from './traffic.ts';

/** No reply shows a private label. */
export const judgeShown: Judge = ({ exchanges, deployment }, evidenceOf) => {
  const labels = evidenceOf('labels/private-never-in-a-reply');
  for (const { exchange, what } of privatesIn(exchanges, deployment)) labels.broken(exchange, 'no private label', what);
  // Without replies that show labels, nothing is proved.
  if (tenantsOf(deployment).some((tenant) => privatesOf(tenant).length > 0))
    labels.kept += exchanges.filter((one) => succeeded(one) && one.operation === 'getConversationContext').length;
};

export function* privatesIn(exchanges: readonly Exchange[], deployment: Deployment): Generator<Leak> {
  const labels = tenantsOf(deployment).flatMap(privatesOf);
  if (labels.length === 0) return;
  const people = namesOfPeople(exchanges);
  const hidden = labels.map(({ id, name }) => ({ id, name: people.has(name?.toLowerCase() ?? '') ? undefined : name }));
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

/** Names of people, whom records name. */
const namesOfPeople = (exchanges: readonly Exchange[]): ReadonlySet<string> =>
  new Set(
    exchanges
      .filter(succeeded)
      .flatMap((one) =>
        valuesOf(jsonOf(one)).flatMap(([path, value]) =>
          typeof value === 'string' && (path[0] === 'participants' || path[0] === 'requester')
            ? value.toLowerCase()
            : [],
        ),
      ),
  );

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

const isShow = ({ hook, failure }: HookCall) => hook === 'showLabels' && failure === null;
const isChange = ({ hook }: HookCall) => hook === 'applyPrivateLabel' || hook === 'removePrivateLabel';

const privateRules = [
  [false, 'private', 'labels/private-cannot-be-applied', 'the private label does not come to the record'],
  [true, 'private', 'labels/private-cannot-be-removed', 'the private label stays on the record'],
  [true, 'spare', 'labels/private-cannot-be-removed', 'the private label stays on the record'],
] as const;

/** What writes of labels do to a private one between two looks into the product, and no such time without one shows, the writes did. */
export const judgeInside: Judge = ({ exchanges, hooks }, evidenceOf) => {
  const windows = [...Map.groupBy(hooks, (call) => call.script)].flatMap(([script, calls]) => {
    const writes = exchanges.filter((one) => one.script === script && one.params.labelId !== undefined);
    const label = writes.find(({ facts }) => facts?.label === 'private')?.params.labelId;
    const inOrder = calls.filter((call) => isShow(call) || isChange(call)).sort((a, b) => a.startedAt - b.startedAt);
    return inOrder.flatMap((after, i) => {
      const before = inOrder[i - 1];
      if (label === undefined || before === undefined || !isShow(before) || !isShow(after)) return [];
      const exchange = writes.find(({ sentAt, doneAt }) => sentAt >= before.doneAt && doneAt <= after.startedAt);
      const wasOn = namesLabel(before.output, label);
      return [{ exchange, wasOn, isChanged: wasOn !== namesLabel(after.output, label) }];
    });
  });
  for (const [isOn, kind, rule, expected] of privateRules) {
    const own = windows.filter(({ wasOn }) => wasOn === isOn);
    const written = own.filter(({ exchange }) => exchange?.facts?.label === kind);
    const quiet = own.filter(({ exchange }) => exchange === undefined);
    const changed = written.filter(({ isChanged }) => isChanged);
    const beside = quiet.filter(({ isChanged }) => isChanged).length;
    const counts = { shown: changed.length, of: written.length, beside, controls: quiet.length };
    const evidence = evidenceOf(rule);
    evidence.kept += written.length - changed.length;
    const exchange = changed[0]?.exchange;
    const words = `the product shows otherwise: ${countWords(counts)}`;
    if (exchange && isProved(counts, counts)) evidence.broken(exchange, expected, words);
    else if (exchange) evidence.unclear.push(words);
  }
};
