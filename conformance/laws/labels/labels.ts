import type { RuleId } from '../../../spec/rules.ts';
import { type Exchange, isObject, jsonOf, objectIn, refused, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { holderKey } from '../../target/holder.ts';
import { holdersOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, type Finding, type Law, lawOf, lawOfReplies, once } from '../judging/law.ts';
import { interference } from './interference.ts';
import { labelList } from './label-list.ts';
import { labelSetsIn } from './label-sets.ts';
import { labelSpelling } from './label-spelling.ts';
import { lateReads } from './late-reads.ts';
import { privateLabels } from './private-labels.ts';
import { type OwnWrite, ownWrites, type RegisterBreach, registerBreaches } from './registers.ts';

/** The rules about the set in the reply to a write. */
const replyRules: Readonly<Record<string, RuleId>> = {
  applyConversationLabel: 'labels/conversation-apply',
  removeConversationLabel: 'labels/conversation-remove',
  applySiteLabel: 'labels/site-apply',
  removeClientSiteLabel: 'labels/link-remove',
};

/** The rule about the effect of a write, which depends on the state before the write. */
function stateRule({ act, carried }: Pick<OwnWrite, 'act' | 'carried'>): RuleId {
  if (act === 'apply') return carried ? 'labels/apply-is-idempotent' : 'labels/apply-adds';
  return carried === false ? 'labels/remove-is-idempotent' : 'labels/remove-removes';
}

interface MembershipBreach extends Breach {
  /** The broken rules. */
  readonly rules: readonly RuleId[];
  readonly tenant: string;
  readonly holder: string;
  /** Whether another client cannot be the cause: true for a status, and for a set of labels where it is wrong too often. */
  readonly certain: boolean;
}

/** Adds the broken rules to a wrong set of labels. */
function withRules(breach: RegisterBreach, history: History): MembershipBreach[] {
  const { exchange, label, persists, culprit, after, tenant } = breach;
  // The laws of access judge the effects of refused writes and of writes to other holders.
  if (culprit !== null && !ownWrites(history).some((write) => write.exchange === culprit)) return [];
  const own = after.find((write) => write.exchange === exchange);
  const earlier = after.filter((write) => write !== own);
  const cause =
    own?.label === label ? own : (earlier.findLast((write) => write.label === label) ?? earlier.at(-1) ?? own);
  const replyRule = own && replyRules[exchange.operation ?? ''];
  const rules = new Set<RuleId>();
  if (replyRule !== undefined) rules.add(replyRule);
  // If the reply to one write shows a wrong effect of another, both rules may be broken.
  if (replyRule === undefined || persists || (cause !== own && cause?.label === label)) {
    rules.add(cause === undefined ? 'labels/membership-is-a-set' : stateRule(cause));
    if (cause?.act === 'remove' && breach.shows && appliedTwice(cause, history))
      rules.add('labels/membership-is-a-set');
  }
  const certain = contradictions(history).has(exchange) || lateReads(history).has(exchange);
  return [{ ...breach, rules: [...rules], tenant, holder: holderKey(breach.holder), certain }];
}

/** Another client may change a label between a write and its reply, but not this often, and not in this share of them. */
const [minContradictions, minShare] = [5, 0.2];

/** Replies to writes that contradict these writes, where they are too many for another client. */
const contradictions = once((history: History): ReadonlySet<Exchange> => {
  const own = registerBreaches(history).filter(({ exchange, label, after }) =>
    after.some((write) => write.exchange === exchange && write.label === label),
  );
  const shown = ownWrites(history).filter(({ exchange, done }) => done && labelSetsIn(history).of.has(exchange));
  const isOften = own.length >= minContradictions && own.length >= minShare * shown.length;
  return new Set(isOften ? own.map(({ exchange }) => exchange) : []);
});

/** Whether the label was applied more than once between the previous removal and this one. */
function appliedTwice({ exchange, holder, label }: OwnWrite, history: History): boolean {
  const earlier = ownWrites(history).filter(
    (write) =>
      write.exchange.n < exchange.n &&
      write.label === label &&
      write.done &&
      holderKey(write.holder) === holderKey(holder),
  );
  const last = earlier.findLastIndex(({ act }) => act === 'remove');
  return earlier.slice(last + 1).length > 1;
}

/** `applying a label to conversation c0, which carries it, by acme/full` */
function writeWords({ act, carried, holder, exchange }: OwnWrite): string {
  const where = holder.kind === 'link' ? `link ${holder.clientId} / ${holder.siteId}` : `${holder.kind} ${holder.id}`;
  const state = carried === null ? '' : carried ? ', which carries it' : ', which does not carry it';
  return `${act === 'apply' ? 'applying a label to' : 'removing a label from'} ${where}${state}, by ${exchange.key}`;
}

/** Operations that succeeded, and operations with the keys that succeeded: their paths, and the scopes of these keys, are right. */
const succeededIn = once(
  ({ exchanges }: History): ReadonlySet<string> =>
    new Set(exchanges.filter(succeeded).flatMap(({ operation, key }) => [`${operation}`, `${operation} ${key}`])),
);

interface Refusals {
  readonly breaches: readonly MembershipBreach[];
  readonly unclear: readonly { readonly rules: readonly RuleId[]; readonly why: string }[];
}

/** Lawful writes that were refused, or that never succeeded. */
const refusals = once((history: History): Refusals => {
  const breaches: MembershipBreach[] = [];
  const unclear: { rules: readonly RuleId[]; why: string }[] = [];
  const groups = new Map<string, OwnWrite[]>();
  for (const write of ownWrites(history)) {
    const { exchange, tenant, holder, carried } = write;
    const { status, operation, twist } = exchange;
    const asked = askedBy(exchange, history);
    // A label that a record carries is public, whichever it is.
    const isPublic = asked.label === 'spare' || (write.act === 'apply' && carried === true);
    if (twist !== null || !isPublic || !asked.lawful || status === null || operation === null) continue;
    const groupKey = `${operation} ${tenant} ${holderKey(holder)} ${carried}`;
    groups.set(groupKey, [...(groups.get(groupKey) ?? []), write]);
    // A 3xx is no success either.
    if (!refused(exchange) && !(status >= 300 && status < 400)) continue;
    const replyRule = replyRules[operation];
    const rules = [stateRule(write), ...(carried !== true && write.act === 'apply' && replyRule ? [replyRule] : [])];
    const deployed = operation === 'storage' ? undefined : deploymentIn(history).operation(operation);
    const why = `${exchange.method} ${deployed?.path} answered ${status}`;
    if (
      [404, 405].includes(status) &&
      deployed?.provenance.address !== 'documented' &&
      !succeededIn(history).has(operation)
    )
      unclear.push({
        rules,
        why: `${why}: the specification does not show this method and path; give operations.${operation} in the target file`,
      });
    else if (
      status === 403 &&
      deployed?.provenance.scopes !== 'documented' &&
      !succeededIn(history).has(`${operation} ${exchange.key}`)
    )
      unclear.push({
        rules,
        why: `${why}: the scopes of this operation are assumed; give operations.${operation}.scopes in the target file`,
      });
    else
      breaches.push({
        exchange,
        expected: `success: ${writeWords(write)}`,
        observed: `${status}`,
        rules,
        tenant,
        holder: holderKey(holder),
        certain: true,
      });
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined || group.some(({ exchange }) => (exchange.status ?? 0) < 500)) continue;
    const replyRule = replyRules[first.exchange.operation ?? ''];
    breaches.push({
      exchange: first.exchange,
      expected: `success: ${writeWords(first)}`,
      observed:
        group.length > 1
          ? `${first.exchange.status}, and never a success in ${group.length} tries`
          : `${first.exchange.status}`,
      rules: [stateRule(first), ...(replyRule ? [replyRule] : [])],
      tenant: first.tenant,
      holder: holderKey(first.holder),
      certain: true,
    });
  }
  return { breaches: [...breaches, ...failuresAtOnce([...groups.values()].flat(), history)], unclear };
});

/** After this many failures of concurrent writes, and this many other writes without any, chance is ruled out if nothing else in the run failed. */
const [minFailures, minOthers] = [3, 20];

/** Writes that are answered 500 only while the same write of the same label is under way. */
function failuresAtOnce(writes: readonly OwnWrite[], { exchanges }: History): MembershipBreach[] {
  const overlap = (a: Exchange, b: Exchange) => a !== b && a.sentAt < b.doneAt && b.sentAt < a.doneAt;
  const isFailure = ({ exchange }: Pick<OwnWrite, 'exchange'>) => exchange.status === 500;
  const written = new Set(writes.map(({ exchange }) => exchange));
  if (exchanges.some((exchange) => isFailure({ exchange }) && !written.has(exchange))) return [];
  return [...Map.groupBy(writes, ({ exchange }) => exchange.operation).values()].flatMap((group) => {
    if (group.filter(isFailure).length < minFailures) return [];
    const [atOnce, others] = [true, false].map((wanted) =>
      group.filter(
        (write) =>
          wanted ===
          group.some(
            (other) =>
              other.label === write.label &&
              holderKey(other.holder) === holderKey(write.holder) &&
              overlap(other.exchange, write.exchange),
          ),
      ),
    ) as [OwnWrite[], OwnWrite[]];
    const failures = atOnce.filter(isFailure);
    if (failures.length < minFailures || others.length < minOthers || others.some(isFailure)) return [];
    return failures.map((write) => ({
      exchange: write.exchange,
      expected: `success: ${writeWords(write)}, while another request does the same`,
      observed: `500 for ${failures.length} of ${atOnce.length} such requests, and for none of ${others.length} others`,
      rules: [`labels/${write.act}-is-idempotent` as const],
      tenant: write.tenant,
      holder: holderKey(write.holder),
      certain: true,
    }));
  });
}

/** Wrong results of lawful writes to the tenant's own holders. */
const membershipBreaches = once((history: History): readonly MembershipBreach[] => [
  ...refusals(history).breaches,
  ...registerBreaches(history).flatMap((breach) => withRules(breach, history)),
]);

/** A law of membership. It judges writes by their status and by the sets of labels afterwards. */
function lawOfWrites(
  rule: RuleId,
  title: string,
  concerns: (write: OwnWrite, history: History) => boolean,
  more?: (history: History) => Pick<Finding, 'breaches' | 'unclear'>,
  counts: (breach: MembershipBreach, history: History) => boolean = ({ rules }) => rules.includes(rule),
): Law {
  return lawOf(rule, title, (history) => {
    const applied = ownWrites(history).filter(
      (write) => write.exchange.status !== null && concerns(write, history),
    ).length;
    const candidates = membershipBreaches(history).filter((breach) => counts(breach, history));
    const disturbed = interference(history);
    // Another client may change a set of labels, but not the status of a reply.
    const breaches = disturbed === null ? candidates : candidates.filter(({ certain }) => certain);
    const unclear = disturbed !== null && breaches.length < candidates.length ? [disturbed] : [];
    const further = more?.(history);
    const all = [...breaches, ...(further?.breaches ?? [])];
    return {
      applied: Math.max(applied, all.length),
      breaches: all.sort((a, b) => a.exchange.n - b.exchange.n),
      unclear: [
        ...unclear,
        ...(further?.unclear ?? []),
        ...refusals(history)
          .unclear.filter(({ rules }) => rules.includes(rule))
          .map(({ why }) => why),
      ],
    };
  });
}

/** A law of membership about an operation whose replies contain the whole set. */
function lawOfSetReplies(operation: string, what: string): Law {
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

const closedIds = (history: History) => {
  const { tenant, stranger } = deploymentIn(history);
  return [tenant, stranger]
    .flatMap((one) => (one ? holdersOf(one) : []))
    .filter(({ slug }) => slug === 'closed-conversation')
    .map(({ holder }) => holderKey(holder));
};

/** Whether a hook closed this conversation before the request, and no hook reopened it before the reply. */
function isClosedInside(holder: string, { sentAt, doneAt }: Exchange, { hooks }: History): boolean {
  const calls = hooks.filter(({ input, failure }) => failure === null && holder === `conversation ${input.id}`);
  const closed = calls.findLast((call) => call.hook === 'closeConversation' && call.doneAt <= sentAt);
  const opened = calls.find((call) => call.hook === 'reopenConversation' && call.startedAt >= (closed?.doneAt ?? 0));
  return closed !== undefined && doneAt <= (opened?.startedAt ?? Number.POSITIVE_INFINITY);
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

const membership: readonly Law[] = [
  lawOfWrites(
    'labels/apply-adds',
    'a label that is applied is carried afterwards, and all others stay',
    ({ act, carried }) => act === 'apply' && carried === false,
  ),
  lawOfWrites(
    'labels/apply-is-idempotent',
    'applying a label that is carried succeeds and changes nothing',
    ({ act, carried }) => act === 'apply' && carried === true,
  ),
  lawOfWrites(
    'labels/remove-removes',
    'a label that is removed is not carried any more, and all others stay',
    ({ act, carried }) => act === 'remove' && carried === true,
  ),
  lawOfWrites(
    'labels/remove-is-idempotent',
    'removing a label that is not carried succeeds and changes nothing',
    ({ act, carried }) => act === 'remove' && carried === false,
  ),
  lawOfWrites(
    'labels/membership-is-a-set',
    'a label stands once in a set, and one removal takes it off however often it was applied',
    ({ done }) => done,
    (history) => ({
      breaches: labelSetsIn(history).showings.flatMap(({ exchange, labels, holder }) =>
        [...labels]
          // Unknown texts do not count, because two labels may have the same name.
          .filter(([label, times]) => times > 1 && !label.startsWith('='))
          .map(([label, times]) => ({
            exchange,
            expected: `each label once in the labels of ${holderKey(holder)}`,
            observed: `${label} ${times} times`,
          })),
      ),
    }),
  ),
  lawOfWrites(
    'labels/closed-conversation-can-be-labelled',
    'a closed conversation is labelled like any other',
    ({ holder, exchange }, history) =>
      closedIds(history).includes(holderKey(holder)) || isClosedInside(holderKey(holder), exchange, history),
    undefined,
    ({ holder, rules, exchange }, history) =>
      rules.length > 0 && (closedIds(history).includes(holder) || isClosedInside(holder, exchange, history)),
  ),
  lawOfSetReplies('applyConversationLabel', 'applying a label to a conversation'),
  lawOfSetReplies('removeConversationLabel', 'removing a label from a conversation'),
  lawOfSetReplies('applySiteLabel', 'applying a label to a site by PUT'),
  lawOfSetReplies('removeClientSiteLabel', 'removing a label from a client-site link'),
  lawOfReplies({
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
  }),
];

/** Laws about labels. */
export const labels: readonly Law[] = [...membership, ...privateLabels, labelList, ...labelSpelling];
