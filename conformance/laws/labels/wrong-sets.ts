import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { holderKey } from '../../target/holder.ts';
import { askedBy } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { type OwnWrite, ownWrites } from './registers/own-writes.ts';
import { type RegisterBreach, registerBreaches } from './registers/register-breaches.ts';
import { labelSetsIn } from './sets/label-sets.ts';
import { staleReplies } from './sets/stale-replies.ts';
import { type MembershipBreach, replyRules, stateRule } from './write-rules.ts';

/** Sets of labels that lawful writes to this holder made wrong, with the broken rules. */
export const wrongSets = once((history: History): readonly MembershipBreach[] =>
  registerBreaches(history).flatMap((breach) => withRules(breach, history)),
);

/** Adds the broken rules to a wrong set of labels. */
function withRules(breach: RegisterBreach, history: History): MembershipBreach[] {
  const { exchange, label, persists, culprit, after, tenant } = breach;
  // The laws of access judge the effects of refused writes and of writes to other holders.
  const isLawful = culprit === null || ownWrites(history).some((write) => write.exchange === culprit);
  if (!isLawful && !namesNoLabel(culprit, history)) return [];
  const own = after.find((write) => write.exchange === exchange);
  const earlier = after.filter((write) => write !== own);
  const cause =
    own?.label === label ? own : (earlier.findLast((write) => write.label === label) ?? earlier.at(-1) ?? own);
  const replyRule = own && replyRules[exchange.operation ?? ''];
  const rules = new Set<RuleId>(isLawful ? [] : ['labels/membership-is-a-set']);
  if (isLawful && replyRule !== undefined) rules.add(replyRule);
  // If the reply to one write shows a wrong effect of another, both rules may be broken.
  if (isLawful && (replyRule === undefined || persists || (cause !== own && cause?.label === label))) {
    rules.add(cause === undefined ? 'labels/membership-is-a-set' : stateRule(cause));
    if (cause?.act === 'remove' && breach.shows && !breach.stale && appliedTwice(cause, history))
      rules.add('labels/membership-is-a-set');
  }
  const certain = contradictions(history).has(exchange) || staleReplies(history).replies.has(exchange);
  const request = (cause ?? own)?.exchange ?? exchange;
  return [{ ...breach, rules: [...rules], tenant, holder: holderKey(breach.holder), certain, request }];
}

/** Whether a permitted write names nothing that could be a label, so that it must not change any. */
function namesNoLabel(write: Exchange, history: History): boolean {
  const { authenticates, lacks, record, label } = askedBy(write, history);
  return authenticates && lacks.length === 0 && record === 'ours' && label === 'malformed';
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
