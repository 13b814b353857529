import { type OperationId, operationIds } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { cutOff, type Exchange, isNoFault } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { LabelAct } from '../../target/holder.ts';
import { type Asked, askedBy } from '../judging/asked.ts';
import { type Breach, type Finding, type Law, once } from '../judging/law.ts';
import { answered, isLawful, lineOf } from '../judging/served.ts';
import { ownWrites } from '../labels/registers/own-writes.ts';
import { failingAtOnce } from './at-once.ts';

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
/** Higher for 429 and lost connections, because the tries of one request share a cause. */
const minFailuresAtOnce = 6;

/** Equal for requests of one operation about one record, with any key of the tenant and any label. */
function recordOf({ operation, params, key }: Exchange): string {
  const { labelId: _, ...record } = params;
  return [operation, key?.split('/')[0], ...Object.values(record)].join(' ');
}

/**
 * 429s and lost replies that neither a limiter nor a network explains: the next request of another operation with the same key, or
 * with any key where this request has no valid one, was answered; or one that was sent while a lost one waited for its reply.
 */
const unexplained = once((history: History): ReadonlySet<Exchange> => {
  const exchanges = new Set<Exchange>();
  const paced = history.exchanges.filter((exchange) => exchange.paced);
  for (const [i, exchange] of paced.entries()) {
    const { status, operation, key } = exchange;
    if ((status !== null && status !== 429) || isNoFault(exchange)) continue;
    const invalid = !askedBy(exchange, history).authenticates;
    const isOther = (later: Exchange) => later.operation !== operation && askedBy(later, history).authenticates;
    const follows = (later: Exchange, j: number) => j > i && isOther(later) && (invalid || later.key === key);
    const next = paced.find(follows);
    const isMeanwhile = (later: Exchange) => later.doneAt <= exchange.doneAt && answered(later);
    const servesOthers = () => paced.some((later, j) => isMeanwhile(later) && follows(later, j));
    if (next !== undefined && (answered(next) || (status === null && servesOthers()))) exchanges.add(exchange);
  }
  return exchanges;
});

/** A 5xx to every third request is not one now and then, if it comes between successes so often that no restart explains it. */
const [oftenShare, minTurns] = [1 / 3, 10];

const isError = ({ status }: Exchange) => (status ?? 0) >= 500;

/** The failures of a group that is served, but fails all the time. */
function oftenFailing(group: readonly Exchange[]): readonly Exchange[] {
  const turns = group.filter((one, i) => isError(one) && i > 0 && answered(group[i - 1] as Exchange)).length;
  const errors = group.filter(isError);
  return turns >= minTurns && errors.length >= group.length * oftenShare ? errors : [];
}

/** Milliseconds. A service that is out for longer is no restart. */
const maxRestart = 10_000;

/** Breaches of the groups of which every request failed, every one for a long time until the end, or every third one. */
function badlyServed(groups: readonly (readonly Exchange[])[], history: History): Finding {
  const breaches: Breach[] = [];
  const unclear = new Set<string>();
  for (const group of groups) {
    const since = group.findLastIndex(answered) + 1;
    const rest = group.slice(since);
    const failures = rest.filter((exchange) => isError(exchange) || unexplained(history).has(exchange));
    const [first] = failures;
    const last = failures.at(-1);
    const onlyErrors = failures.every(isError);
    const needed = onlyErrors && since === 0 ? minFailuresOfRecord : minFailuresAtOnce;
    if (first !== undefined && last !== undefined && failures.length >= needed) {
      const what = askedWords(last);
      const statuses = [...new Set(failures.map(({ status }) => status ?? 'no reply'))].join(' or ');
      const observed = `${statuses}, ${since === 0 ? `all ${failures.length} times` : `all the last ${failures.length} times`}`;
      if (since === 0 || last.doneAt - first.sentAt > maxRestart)
        breaches.push({
          exchange: last,
          expected: `${what} to be answered at least once`,
          observed,
          with: failures.slice(0, 2),
        });
      else unclear.add(`${what}: ${observed}, which a restart may explain`);
    }
    const often = oftenFailing(group);
    const [one] = often;
    if (one !== undefined)
      breaches.push({
        exchange: one,
        expected: `${lineOf(one)} to be answered, but for an error now and then`,
        observed: `${one.status}, and an error ${often.length} of ${group.length} times`,
        with: often.slice(1, 3),
      });
    const unread = since === 0 ? rest.find((one) => one.failure !== cutOff && isNoFault(one)) : undefined;
    if (unread) unclear.add(`${askedWords(unread)}: ${unread.failure}`);
  }
  return { applied: groups.length, breaches, unclear: [...unclear] };
}

const askedWords = (exchange: Exchange) => `${lineOf(exchange)} by ${exchange.key ?? 'a client without a valid key'}`;

/** Lawful requests below the limit of their key. A label that the target file does not name may be unknown to the deployment, which then refuses it rightly. */
const surelyLawful = once((history: History): ReadonlySet<Exchange> => {
  const surely = (exchange: Exchange) => [null, 'spare'].includes(askedBy(exchange, history).label);
  return new Set(
    history.exchanges.filter((exchange) => exchange.paced && isLawful(exchange, history) && surely(exchange)),
  );
});

const lawfulFor = (history: History, rule: RuleId) =>
  [...surelyLawful(history)].filter(({ operation }) =>
    operationIds.some((id) => id === operation && ruleOf(id) === rule),
  );

/** The requests of each record, and of each key, to each of these operations. */
function byRecordAndKey(history: History, rule: RuleId): (readonly Exchange[])[] {
  const lawful = lawfulFor(history, rule);
  const ofKeys = Map.groupBy(lawful, ({ operation, key }) => `${operation} ${key}`);
  return [
    ...Map.groupBy(lawful, recordOf).values(),
    ...[...ofKeys.values()].filter(({ length }) => length >= minFailuresOfKey),
  ];
}

/** The writes of each operation that change nothing: a label is carried already, or is not carried. */
function withoutEffect(history: History, act: LabelAct): (readonly Exchange[])[] {
  const writes = ownWrites(history).filter(
    (write) => write.act === act && write.carried === (act === 'apply') && surelyLawful(history).has(write.exchange),
  );
  const exchanges = writes.map(({ exchange }) => exchange);
  return [...Map.groupBy(exchanges, ({ operation }) => operation).values()];
}

/** Requests that have to be answered 403, by the rule that says so. */
const refusals: readonly (readonly [RuleId, (exchange: Exchange, asked: Asked) => boolean])[] = [
  ['auth/no-key-is-403', ({ credential }) => credential === 'none' || credential === 'empty'],
  ['auth/unknown-key-is-403', ({ credential }) => credential === 'unknown'],
  ['auth/bearer-is-not-supported', ({ credential }) => credential === 'bearer'],
  ['auth/revoked-key-is-403', ({ credential }, { targetKey }) => credential === 'key' && targetKey?.revoked === true],
  ['scopes/missing-scope-is-403', (_, { authenticates, surelyLacks }) => authenticates && surelyLacks],
];

const lastsLong = (group: readonly Exchange[]) => (group.at(-1)?.sentAt ?? 0) - (group[0]?.sentAt ?? 0) > maxRestart;

/** The requests of a kind, for each operation and for each record, and by how many scopes their keys lack; and those of each key. */
function byOperationRecordAndKey(
  history: History,
  isKind: (exchange: Exchange, asked: Asked) => boolean,
): Exchange[][] {
  const requests = history.exchanges.filter(
    (exchange) => operationIds.some((id) => id === exchange.operation) && isKind(exchange, askedBy(exchange, history)),
  );
  const kind = (exchange: Exchange) => `${exchange.operation} ${askedBy(exchange, history).lacks.length}`;
  const ofRecord = (exchange: Exchange) => `${kind(exchange)} ${recordOf(exchange)}`;
  const ofKeys = [...Map.groupBy(requests, ({ key }) => key).values()];
  // A key that nobody has is sent a few times only, so a restart must be ruled out.
  const shown = [...Map.groupBy(requests, ({ requestHeaders }) => requestHeaders['x-api-key']).values()];
  return [
    ...shown.filter(lastsLong),
    ...Map.groupBy(requests, kind).values(),
    ...Map.groupBy(requests, ofRecord).values(),
    ...ofKeys.filter(({ length }) => length >= minFailuresOfKey),
  ];
}

const title = 'a repeated request is not always answered 5xx, throttled below the limit, or left without a reply';
const lawOfGroups = (
  rule: RuleId,
  groups: (history: History) => (readonly Exchange[])[],
  more: (history: History) => readonly Breach[] = () => [],
): Law => ({
  id: `${rule}/served-at-times`,
  rule,
  title,
  judge: (history) => {
    const finding = badlyServed(groups(history), history);
    return { ...finding, breaches: [...finding.breaches, ...more(history)] };
  },
});

/** What is asked for again and again is served at least once. */
export const availability: readonly Law[] = [
  ...[...new Set(operationIds.map(ruleOf).filter((rule) => rule !== null))].map((rule) =>
    lawOfGroups(
      rule,
      (history) => byRecordAndKey(history, rule),
      (history) => failingAtOnce(lawfulFor(history, rule), history),
    ),
  ),
  lawOfGroups('labels/apply-is-idempotent', (history) => withoutEffect(history, 'apply')),
  lawOfGroups('labels/remove-is-idempotent', (history) => withoutEffect(history, 'remove')),
  ...refusals.map(([rule, isKind]) => lawOfGroups(rule, (history) => byOperationRecordAndKey(history, isKind))),
];
