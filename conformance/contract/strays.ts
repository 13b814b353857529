/**
 * Messages of another conversation that a context shows at times. A message that its own conversation always shows, and that another one lacks
 * before and after, is no message of that other one.
 */
import type { RuleId } from '../../spec/rules.ts';
import { canonicalJson } from '../../spec/text/canonical-json.ts';
import { type Exchange, isObject, objectIn, succeeded } from '../history/exchange.ts';
import { noChance } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import { caseOf } from './case.ts';

/** A context with a message of another conversation, and a context of that one. */
interface Stray {
  readonly rule: RuleId;
  readonly exchange: Exchange;
  readonly from: Exchange;
  readonly what: string;
}

const tenantOf = ({ key }: Exchange) => key?.split('/')[0] ?? '';

function messagesIn(exchange: Exchange): ReadonlySet<string> {
  const { messages } = objectIn(exchange);
  const isMessage = (one: unknown) =>
    isObject(one) && Object.values(one).filter((text) => typeof text === 'string').length >= noChance;
  return new Set(Array.isArray(messages) ? messages.filter(isMessage).map((one) => canonicalJson(one)) : []);
}

export function* straysIn(exchanges: readonly Exchange[], deployment: Deployment): Generator<Stray> {
  const contexts = exchanges.filter((exchange) => {
    const asked = exchange.operation === 'getConversationContext' ? caseOf(exchange, deployment) : null;
    return asked?.caller === 'valid' && asked.owner === 'ours' && succeeded(exchange);
  });
  const groups = [...Map.groupBy(contexts, (one) => `${tenantOf(one)} ${one.params.id}`).values()].map((replies) =>
    replies.map((exchange) => ({ exchange, messages: messagesIn(exchange) })),
  );
  const homes = new Map<string, Exchange>();
  for (const [first, ...more] of groups)
    for (const message of first?.messages ?? [])
      if (first && more.length > 0 && more.every(({ messages }) => messages.has(message)))
        homes.set(message, first.exchange);
  for (const replies of groups) {
    const shown = new Set(replies.flatMap(({ messages }) => [...messages]));
    for (const message of shown) {
      const from = homes.get(message);
      if (from === undefined) continue;
      // Of two replies that overtake each other, either may be the older one.
      const without = replies.filter(({ messages }) => !messages.has(message)).map((one) => one.exchange);
      const since = Math.min(...without.map(({ doneAt }) => doneAt));
      const until = Math.max(...without.map(({ sentAt }) => sentAt));
      const exchange = replies.find(
        (one) => one.messages.has(message) && since < one.exchange.sentAt && one.exchange.doneAt < until,
      )?.exchange;
      if (exchange === undefined) continue;
      const isTheirs = tenantOf(from) !== tenantOf(exchange);
      const rule = isTheirs ? 'isolation/reads-stay-in-tenant' : 'context/get-answers-context';
      yield { rule, exchange, from, what: `a message of conversation ${from.params.id}, at times` };
    }
  }
}
