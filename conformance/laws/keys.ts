import { type Exchange, jsonOf, objectIn, succeeded, valuesOf } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { askedBy } from './asked.ts';
import { answered } from './auth.ts';
import type { Breach, Law } from './law.ts';
import { wordsOf } from './words-of.ts';

/** What a reply tells that must not depend on the key: the ids of listed labels, and texts of a context that no write of ours changes. */
function factsIn(exchange: Exchange): ReadonlySet<string> {
  const facts = new Set<string>();
  if (exchange.operation === 'listLabels')
    for (const [path, value] of valuesOf(jsonOf(exchange)))
      if (path.length > 1 && typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
        facts.add(value);
  if (exchange.operation === 'getConversationContext') {
    const { subject, messages, sites } = objectIn(exchange);
    for (const [path, value] of valuesOf({ subject, messages, sites })) {
      const name = path.findLast((step) => typeof step === 'string');
      const counts = name === 'subject' || name === 'text' || (name === 'id' && path[0] === 'sites');
      if (counts && typeof value === 'string') facts.add(value);
    }
  }
  return facts;
}

/** The same request by keys of one tenant. */
const askOf = ({ operation, params }: Exchange, tenant: string | undefined) =>
  JSON.stringify([operation, params, tenant]);

/** Of the requests for one thing: those who see it, and those who do not. */
function differences(those: readonly Exchange[], history: History): Breach[] {
  const found = those.filter(succeeded);
  const [seen] = found;
  if (seen === undefined) return [];
  const byKey = Map.groupBy(found, ({ key }) => key);
  const refusals = those
    .filter(({ status, key }) => status === 404 && !byKey.has(key))
    .map(
      (exchange): Breach => ({
        exchange,
        expected: `the same for "${wordsOf(exchange)}" as for ${seen.key}`,
        observed: `404 where ${seen.key} is answered ${seen.status}`,
        with: [seen],
      }),
    );
  return [...refusals, ...[...byKey].flatMap(([, own]) => hiddenFrom(own, found, history))];
}

/** What another key, with no scope that this one lacks, is shown each time and this one never is. */
function hiddenFrom(own: readonly Exchange[], all: readonly Exchange[], history: History): Breach[] {
  const [exchange] = own;
  if (exchange === undefined) return [];
  const scopes = new Set(askedBy(exchange, history).targetKey?.scopes);
  const shown = own.map(factsIn);
  for (const [key, others] of Map.groupBy(all, (one) => one.key)) {
    const [first] = others;
    const fewer = (askedBy(first ?? exchange, history).targetKey?.scopes ?? []).every((scope) => scopes.has(scope));
    if (key === exchange.key || first === undefined || others.length < 2 || !fewer) continue;
    const facts = others.map(factsIn);
    for (const fact of facts[0] ?? [])
      if (facts.every((one) => one.has(fact)) && !shown.some((one) => one.has(fact)))
        return [
          {
            exchange,
            expected: `the same for "${wordsOf(exchange)}" as for ${key}`,
            observed: `"${fact.slice(0, 80)}" is shown to ${key} alone`,
            with: [first],
          },
        ];
  }
  return [];
}

/** That what a tenant has does not depend on which of its keys asks. */
export const keys: readonly Law[] = [
  {
    id: 'keys/partner-scoped',
    rule: 'keys/partner-scoped',
    title: 'all keys of a tenant that may read a record see the same of it',
    judge(history) {
      const reads = history.exchanges.filter((exchange) => {
        const { lawful } = askedBy(exchange, history);
        return exchange.method === 'GET' && answered(exchange) && lawful;
      });
      const groups = [
        ...Map.groupBy(reads, (exchange) => askOf(exchange, askedBy(exchange, history).tenant?.name)).values(),
      ].filter((those) => new Set(those.map(({ key }) => key)).size > 1);
      return {
        applied: groups.length,
        breaches: groups.flatMap((those) => differences(those, history)),
      };
    },
  },
];
