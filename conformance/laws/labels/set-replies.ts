import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy } from '../judging/asked.ts';
import { type Breach, type Law, lawOfReplies } from '../judging/law.ts';
import { lawOfWrites } from './law-of-writes.ts';
import { ownWrites } from './registers/own-writes.ts';
import { labelSetsIn } from './sets/label-sets.ts';
import { replyRules, writeWords } from './write-rules.ts';

/** A law of membership about an operation whose replies contain the whole set. */
export function lawOfSetReplies(operation: string, what: string): Law {
  const rule = replyRules[operation];
  if (rule === undefined) throw new RangeError(`there is no rule about replies to ${operation}`);
  return lawOfWrites(
    rule,
    `${what} is answered with every public label that is then carried`,
    ({ exchange }) => exchange.operation === operation,
    (history) => {
      const withoutSet = ownWrites(history).filter(
        ({ exchange, done }) =>
          exchange.operation === operation &&
          done &&
          exchange.twist === null &&
          labelSetsIn(history).of.get(exchange) === undefined,
      );
      return {
        breaches: [
          ...withoutSet
            .filter(({ exchange }) => !holdsItems(exchange))
            .map((write) => ({
              exchange: write.exchange,
              expected: `the labels carried after ${writeWords(write)}`,
              observed: `${write.exchange.status} without a set of labels`,
            })),
          ...wrongMethod(operation, history),
        ],
        unclear: withoutSet.some(({ exchange }) => holdsItems(exchange))
          ? [
              `replies to ${operation} contain lists, but no item in them could be recognised as a label of GET /v1/labels`,
            ]
          : [],
      };
    },
  );
}

/** Whether the reply contains any list with items. */
const holdsItems = (exchange: Exchange): boolean =>
  [...valuesOf(jsonOf(exchange))].some(([, value]) => Array.isArray(value) && value.length > 0);

function wrongMethod(operation: string, history: History): Breach[] {
  if (operation !== 'applySiteLabel') return [];
  const exchange = history.exchanges.find(
    (one) => one.operation === operation && one.method !== 'PUT' && succeeded(one),
  );
  return exchange
    ? [{ exchange, expected: 'a label is applied to a site by PUT', observed: `by ${exchange.method}` }]
    : [];
}

const isSiteWrite = ({ operation }: Exchange) => operation === 'applySiteLabel' || operation === 'removeSiteLabel';

function siteSetProblem(json: unknown, asked: string): string | null {
  if (!isObject(json)) return 'it is not an object';
  if (json.siteId === undefined) return 'no siteId';
  if (typeof json.siteId !== 'string') return `siteId is ${JSON.stringify(json.siteId)}, not a string`;
  if (json.siteId.toLowerCase() !== asked.toLowerCase()) return `siteId is "${json.siteId}"`;
  if (!Array.isArray(json.labels)) return json.labels === undefined ? 'no labels' : 'labels is not an array';
  return json.labels.every(isObject) ? null : 'an item of labels is not an object';
}

/** The form of a site's set of labels. */
export const siteLabelSet: Law = lawOfReplies({
  rule: 'labels/site-label-set',
  title: 'the label set of a site has siteId, the id of the request, and labels, an array of objects',
  applies: (exchange, history) => {
    const { record, authenticates } = askedBy(exchange, history);
    // The reply to a removal from a site is not documented. If it contains a set, the set must have the same form.
    const answer = objectIn(exchange);
    const shown = exchange.operation === 'applySiteLabel' || 'siteId' in answer || 'labels' in answer;
    return isSiteWrite(exchange) && shown && succeeded(exchange) && authenticates && record === 'ours';
  },
  judge: (exchange) => {
    const siteId = exchange.params.id ?? '';
    const problem = siteSetProblem(jsonOf(exchange), siteId);
    return problem === null
      ? null
      : { expected: `siteId "${siteId}" and labels, an array of objects`, observed: problem };
  },
});
