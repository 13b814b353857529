import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { Finding } from '../judging/law.ts';
import { interference } from './interference.ts';
import { type RegisterBreach, registerBreaches } from './registers/register-breaches.ts';

/**
 * Changes of labels by writes that must not change anything, such as refused ones. If another client writes to the same records, such
 * changes prove nothing.
 * @param isCulprit whether this write must not have changed the label
 */
export function labelEffects(
  history: History,
  isCulprit: (write: Exchange, breach: RegisterBreach) => boolean,
): Required<Pick<Finding, 'breaches' | 'unclear'>> {
  const breaches = registerBreaches(history).filter(
    (breach) => breach.culprit !== null && isCulprit(breach.culprit, breach),
  );
  const disturbed = breaches.length === 0 ? null : interference(history);
  return disturbed === null ? { breaches, unclear: [] } : { breaches: [], unclear: [disturbed] };
}
