import { type OperationId, operationIds } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { Breach, Finding, Law } from './law.ts';
import { isLawful, lineOf } from './served.ts';

/** The rule that an operation breaks if it never succeeds. Operations without an entry break `service/reference-endpoints`. */
const rulesOf: Readonly<Partial<Record<OperationId, RuleId | null>>> = {
  getHealth: 'service/named-endpoints-exist',
  listLabels: 'labels/listing-gives-public-labels',
  getConversation: 'service/named-endpoints-exist',
  getConversationContext: 'context/get-answers-context',
  applyConversationLabel: 'labels/conversation-apply',
  removeConversationLabel: 'labels/conversation-remove',
  applySiteLabel: 'labels/site-apply',
  removeSiteLabel: 'labels/paths-and-methods',
  applyClientSiteLabel: 'labels/paths-and-methods',
  removeClientSiteLabel: 'labels/link-remove',
  startSiteFileUpload: 'upload/start-is-201',
  // Lawful only with a fileKey whose bytes were uploaded, so the laws of uploads judge this operation.
  registerSiteFile: null,
};

function ruleOf(id: OperationId): RuleId | null {
  const rule = rulesOf[id];
  return rule === undefined ? 'service/reference-endpoints' : rule;
}

/** A 5xx now and then is documented. If one request in two hundred fails, this many failures without a success are no chance. */
const minFailuresOfRecord = 3;
/** Higher for keys, because a key may be used for few records, which then count twice. */
const minFailuresOfKey = 5;

/** Equal for requests of one operation about one record, with any key of the tenant and any label. */
function recordOf({ operation, params, key }: Exchange): string {
  const { labelId: _, ...record } = params;
  return [operation, key?.split('/')[0], ...Object.values(record)].join(' ');
}

/** Records and keys for which an operation always failed. */
function neverServed(history: History, operations: readonly OperationId[]): Finding {
  const lawful = history.exchanges.filter(
    (exchange) => operations.some((id) => id === exchange.operation) && isLawful(exchange, history),
  );
  const ofKeys = Map.groupBy(lawful, ({ operation, key }) => `${operation} ${key}`);
  const groups = [
    ...Map.groupBy(lawful, recordOf).values(),
    ...[...ofKeys.values()].filter(({ length }) => length >= minFailuresOfKey),
  ];
  const breaches = groups.flatMap((group): Breach[] => {
    const replies = group.filter(({ status }) => status !== null && status !== 429);
    const last = replies.at(-1);
    if (last === undefined || replies.length < minFailuresOfRecord || replies.some(({ status }) => (status ?? 0) < 500))
      return [];
    return [
      {
        exchange: last,
        expected: `${lineOf(last)} to succeed at least once`,
        observed: `${[...new Set(replies.map(({ status }) => status))].join(' or ')}, all ${replies.length} times`,
        with: replies.slice(0, 2),
      },
    ];
  });
  return { applied: groups.length, breaches };
}

/** For each operation: it does not always fail. */
export const availability: readonly Law[] = [...new Set(operationIds.map(ruleOf).filter((rule) => rule !== null))].map(
  (rule) => ({
    id: `${rule}/not-always-5xx`,
    rule,
    title: 'what is lawfully asked for is not answered 5xx every time',
    judge: (history) =>
      neverServed(
        history,
        operationIds.filter((id) => ruleOf(id) === rule),
      ),
  }),
);
