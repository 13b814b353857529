import { type OperationId, operationIds } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { Breach, Finding, Law } from './law.ts';
import { isLawful, lineOf } from './served.ts';

/** The rule that says what an operation does when all is well: one that never does it breaks that. Others have the usual one. */
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
  // Only with a fileKey whose bytes came is it lawful: judged with the uploads.
  registerSiteFile: null,
};

function ruleOf(id: OperationId): RuleId | null {
  const rule = rulesOf[id];
  return rule === undefined ? 'service/reference-endpoints' : rule;
}

/** So many failures in a row are no chance, where one request in two hundred fails. */
const enough = 3;
/** Of one key, which is asked with for few things. */
const enoughOfKey = 5;

/** What is asked for by whom: one record of one tenant, with all keys of it and whatever label. */
function recordOf({ operation, params, key }: Exchange): string {
  const { labelId: _, ...record } = params;
  return [operation, key?.split('/')[0], ...Object.values(record)].join(' ');
}

/** Records of which an operation has failed whatever was tried, and keys with which it has: now and then a 5xx is documented, always is a fault. */
function neverServed(history: History, operations: readonly OperationId[]): Finding {
  const lawful = history.exchanges.filter(
    (exchange) => operations.some((id) => id === exchange.operation) && isLawful(exchange, history),
  );
  const ofKeys = Map.groupBy(lawful, ({ operation, key }) => `${operation} ${key}`);
  const groups = [
    ...Map.groupBy(lawful, recordOf).values(),
    ...[...ofKeys.values()].filter((those) => those.length >= enoughOfKey),
  ];
  const breaches = groups.flatMap((group): Breach[] => {
    const said = group.filter(({ status }) => status !== null && status !== 429);
    const last = said.at(-1);
    if (last === undefined || said.length < enough || said.some(({ status }) => (status ?? 0) < 500)) return [];
    return [
      {
        exchange: last,
        expected: `${lineOf(last)} to succeed at least once`,
        observed: `${[...new Set(said.map(({ status }) => status))].join(' or ')}, ${said.length} times of ${said.length}`,
        with: said.slice(0, 2),
      },
    ];
  });
  return { applied: groups.length, breaches };
}

/** That no operation fails always. */
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
