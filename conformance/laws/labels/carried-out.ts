import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { Finding } from '../judging/law.ts';
import { interference } from './interference.ts';
import { type RegisterBreach, registerBreaches } from './registers.ts';

/** Changes of label sets that are explained by writes which must not change anything: refused ones, and those of another tenant. They prove nothing where somebody else writes, too. */
export function carriedOut(
  history: History,
  culprits: (culprit: Exchange, breach: RegisterBreach) => boolean,
): Required<Pick<Finding, 'breaches' | 'unclear'>> {
  const breaches = registerBreaches(history).filter(
    (breach) => breach.culprit !== null && culprits(breach.culprit, breach),
  );
  const disturbed = breaches.length === 0 ? null : interference(history);
  return disturbed === null ? { breaches, unclear: [] } : { breaches: [], unclear: [disturbed] };
}
