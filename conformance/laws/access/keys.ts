import { type Exchange, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { sparesOf } from '../../target/records.ts';
import { askedBy } from '../judging/asked.ts';
import { type Breach, type Law, lawOf } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { wordsOf } from '../judging/words-of.ts';

const factsOf = new WeakMap<Exchange, ReadonlySet<string>>();

/**
 * The parts of a reply that must not depend on the key: ids of listed labels, and texts of a context that no write of the run changes. A text
 * with a spare label may be a note about such a write.
 */
function factsIn(exchange: Exchange, history: History): ReadonlySet<string> {
  const cached = factsOf.get(exchange);
  if (cached !== undefined) return cached;
  const facts = new Set<string>();
  factsOf.set(exchange, facts);
  if (exchange.operation === 'listLabels')
    for (const [path, value] of valuesOf(jsonOf(exchange)))
      if (path.length > 1 && typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
        facts.add(value);
  if (exchange.operation === 'getConversationContext') {
    const { subject, messages, sites } = objectIn(exchange);
    const { tenant } = askedBy(exchange, history);
    const written = tenant ? sparesOf(tenant).flatMap(({ id, name }) => [id, name ?? id]) : [];
    for (const [path, value] of valuesOf({ subject, messages, sites })) {
      const name = path.findLast((step) => typeof step === 'string');
      const isFact = name === 'subject' || name === 'text' || (name === 'id' && path[0] === 'sites');
      if (isFact && typeof value === 'string' && !written.some((label) => value.includes(label))) facts.add(value);
    }
  }
  return facts;
}

/** Equal for the same request with any key of one tenant. */
const requestKey = ({ operation, params }: Exchange, tenant: string | undefined) =>
  JSON.stringify([operation, params, tenant]);

/** Replies to the same request that do not find the record, or show less of it than the replies to another key before and after. */
function differences(replies: readonly Exchange[], history: History): Breach[] {
  const served = replies.filter(succeeded);
  const byKey = Map.groupBy(served, ({ key }) => key);
  const changing = new Map<string | null, boolean>();
  const changesByItself = (key: string | null, own: readonly Exchange[]) => {
    const changes = changing.get(key) ?? comesAndGoes(own, history);
    changing.set(key, changes);
    return changes;
  };
  return replies.flatMap((exchange): Breach[] => {
    const other = served.find(({ key }) => key !== exchange.key);
    if (other === undefined) return [];
    const expected = `the same for "${wordsOf(exchange)}" as for ${other.key}`;
    if (exchange.status === 404)
      return [{ exchange, expected, observed: `404 where ${other.key} is answered ${other.status}`, with: [other] }];
    const hidden = succeeded(exchange) ? hiddenFrom(exchange, byKey, history) : [];
    // What also comes and goes for one other key does not depend on the key: a page of a list without an order may show any labels.
    const depends = () => ![...byKey].some(([key, own]) => key !== exchange.key && changesByItself(key, own));
    return hidden.length > 0 && depends() ? hidden : [];
  });
}

/** A fact that every reply to another key contains, before this reply and after it, though that key has no scope that this key lacks. */
function hiddenFrom(
  exchange: Exchange,
  byKey: ReadonlyMap<string | null, readonly Exchange[]>,
  history: History,
): Breach[] {
  const scopes = new Set(askedBy(exchange, history).targetKey?.scopes);
  const shown = factsIn(exchange, history);
  for (const [key, others] of byKey) {
    const [first] = others;
    const last = others.at(-1);
    if (key === exchange.key || first === undefined || last === undefined) continue;
    const around = first.doneAt <= exchange.sentAt && last.sentAt >= exchange.doneAt;
    const fewer = askedBy(first, history).targetKey?.scopes.every((scope) => scopes.has(scope)) ?? false;
    if (!around || !fewer) continue;
    for (const fact of factsIn(first, history))
      if (!shown.has(fact) && others.every((one) => factsIn(one, history).has(fact))) {
        const expected = `the same for "${wordsOf(exchange)}" as for ${key}`;
        const observed = `no "${fact.slice(0, 80)}", which every reply to ${key} shows`;
        return [{ exchange, expected, observed, with: [first, last] }];
      }
  }
  return [];
}

/** Whether a fact is in an earlier and in a later one of these replies, but not in one between. */
function comesAndGoes(replies: readonly Exchange[], history: History): boolean {
  const gone = new Set<string>();
  const seen = new Set<string>();
  for (const one of replies) {
    const facts = factsIn(one, history);
    for (const fact of facts) {
      if (gone.has(fact)) return true;
      seen.add(fact);
    }
    for (const fact of seen) if (!facts.has(fact)) gone.add(fact);
  }
  return false;
}

export const keys: readonly Law[] = [
  lawOf('keys/partner-scoped', 'all keys of a tenant that may read a record see the same of it', (history) => {
    const reads = history.exchanges.filter((exchange) => {
      const { lawful } = askedBy(exchange, history);
      return exchange.method === 'GET' && answered(exchange) && lawful;
    });
    const groups = [
      ...Map.groupBy(reads, (exchange) => requestKey(exchange, askedBy(exchange, history).tenant?.name)).values(),
    ].filter((group) => new Set(group.map(({ key }) => key)).size > 1);
    return {
      applied: groups.flat().length,
      breaches: groups.flatMap((group) => differences(group, history)),
    };
  }),
];
