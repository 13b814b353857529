import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Finding, type Law, lawOf, once } from '../judging/law.ts';
import { interference } from './interference.ts';
import { refusals } from './refused-writes.ts';
import { type OwnWrite, ownWrites } from './registers/own-writes.ts';
import { type MembershipBreach, replyRules } from './write-rules.ts';
import { wrongSets } from './wrong-sets.ts';

/** Wrong results of lawful writes to the tenant's own holders. */
const membershipBreaches = once((history: History): readonly MembershipBreach[] => [
  ...refusals(history).breaches,
  ...wrongSets(history),
]);

/** A law of membership. It judges writes by their status and by the sets of labels afterwards. */
export function lawOfWrites(
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
    // Requests are counted, and not the labels and later replies that show what one request did.
    const counted = new Map<Exchange, MembershipBreach>();
    for (const breach of breaches.toSorted((a, b) => a.exchange.n - b.exchange.n)) {
      const request = replyRules[breach.exchange.operation ?? ''] === rule ? breach.exchange : breach.request;
      if (!counted.has(request)) counted.set(request, breach);
    }
    const all = [...counted.values(), ...(further?.breaches ?? [])];
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
