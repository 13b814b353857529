import { canonicalJson } from '../../../spec/text/canonical-json.ts';
import { type Exchange, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { perObject } from '../../per-object.ts';
import { deploymentIn } from './asked.ts';
import { type Breach, once } from './law.ts';
import { membersOf, mostlyIn } from './reply-parts.ts';
import { answered, isLawful, lineOf } from './served.ts';
import { differenceIn, shortened } from './shortened.ts';

/**
 * Contexts of another conversation: with messages and clients that another one shows in most replies, and that this one lacks before and after, or
 * that stand in place of its own; or with another subject and other messages than most replies, which come before and after.
 */
export const contextsOfOthers = once((history: History): ReadonlyMap<Exchange, Breach> => {
  const lawful = history.exchanges.filter(
    (one) => one.operation === 'getConversationContext' && answered(one) && isLawful(one, history),
  );
  const { settleMilliseconds } = deploymentIn(history);
  const conversations = [...Map.groupBy(lawful.filter(succeeded), ({ params }) => params.id).values()];
  const homes = new Map<string, Exchange>();
  for (const replies of conversations)
    if (replies.length > 1) for (const [member, shown] of mostlyIn(replies, membersOf)) homes.set(member, shown);
  const breaches = conversations.flatMap((replies) => {
    const usualMembers = mostlyIn(replies, membersOf);
    const [subject] = mostlyIn(replies, (one) => new Set([JSON.stringify(objectIn(one).subject)]));
    const messages = mostlyIn(replies, messagesOf);
    const isUsual = (one: Exchange) =>
      JSON.stringify(objectIn(one).subject) === subject?.[0] || [...messagesOf(one)].some((text) => messages.has(text));
    const isBetween = (exchange: Exchange) =>
      replies.some((one) => one.doneAt <= exchange.sentAt && isUsual(one)) &&
      replies.some((one) => one.sentAt >= exchange.doneAt && isUsual(one));
    return replies.flatMap((exchange): Breach[] => {
      // Of requests that overlap, the later reply may show the earlier state.
      const before = replies.filter((one) => one.doneAt < exchange.sentAt);
      const after = replies.filter((one) => one.sentAt > exchange.doneAt + settleMilliseconds);
      const isOther = subject !== undefined && !isUsual(exchange);
      const stray = [...membersOf(exchange)].find(
        (member) =>
          homes.has(member) &&
          !usualMembers.has(member) &&
          (isOther || [before, after].every((some) => some.some((one) => lacks(one, member, exchange)))),
      );
      const home = stray === undefined ? undefined : homes.get(stray);
      if (home !== undefined) {
        const expected = `the context for ${lineOf(exchange)} without what is in that of conversation ${home.params.id}`;
        return [
          {
            exchange,
            expected,
            observed: shortened(stray ?? '', 160, differenceIn(stray ?? '', usualMembers.keys())),
            with: [home],
          },
        ];
      }
      const isComparable = messages.size > 0 && messagesOf(exchange).size > 0;
      if (!isOther || !isComparable || !isBetween(exchange)) return [];
      return [
        {
          exchange,
          expected: `the context for ${lineOf(exchange)}, as before and after, with subject ${subject[0]}`,
          observed: `subject ${JSON.stringify(objectIn(exchange).subject)}, and other messages`,
          with: [subject[1]],
        },
      ];
    });
  });
  return new Map(breaches.map((breach) => [breach.exchange, breach]));
});

/** Whether the reply has the list in which the other one shows the member, without it: a deployment may leave out a whole list now and then. */
const lacks = (one: Exchange, member: string, shows: Exchange) =>
  [...listsOf(shows)].some(
    ([path, list]) => list.includes(member) && listsOf(one).get(path)?.includes(member) === false,
  );

/** The lists of a reply by their paths, each with its members as JSON. */
const listsOf = perObject(
  (exchange: Exchange): ReadonlyMap<string, readonly string[]> =>
    new Map(
      [...valuesOf(jsonOf(exchange))].flatMap(([path, value]) =>
        Array.isArray(value) ? [[path.join('.'), value.map((one) => canonicalJson(one))] as const] : [],
      ),
    ),
);

const messagesOf = (exchange: Exchange): ReadonlySet<string> => {
  const { messages } = objectIn(exchange);
  return new Set(Array.isArray(messages) ? messages.map((message) => canonicalJson(message)) : []);
};
