import type { RefusalCase } from '../../../spec/files/profile-schema.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy } from '../judging/asked.ts';
import { errorBodyFault, refusalPatch } from '../judging/error-body.ts';
import { type Breach, lawOf } from '../judging/law.ts';
import { wordsOf } from '../judging/words-of.ts';

/** What about the key or its scopes is the reason for a 403; null where the reason may be another. */
function caseOf(exchange: Exchange, history: History): RefusalCase | null {
  const { credential, operation, twist } = exchange;
  if (operation === null || operation === 'storage' || twist !== null) return null;
  const { targetKey, lacks } = askedBy(exchange, history);
  if (credential === 'none' || credential === 'empty') return 'no-key';
  if (credential === 'bearer') return 'bearer-only';
  if (credential !== 'key') return 'unknown-key';
  if (targetKey?.revoked) return 'revoked-key';
  return lacks.length > 0 ? 'missing-scope' : null;
}

export const forbiddenBody = lawOf(
  'auth/forbidden-has-the-error-body',
  'each 403 for a key or a scope carries the error body',
  (history) => {
    const breaches: Breach[] = [];
    const seen = new Map<RefusalCase, Exchange>();
    let applied = 0;
    for (const exchange of history.exchanges) {
      if (exchange.status !== 403) continue;
      const refusal = caseOf(exchange, history);
      if (refusal === null) continue;
      applied++;
      if (!seen.has(refusal)) seen.set(refusal, exchange);
      const fault = errorBodyFault(exchange);
      if (fault !== null)
        breaches.push({ exchange, expected: `an error body in the 403 for "${wordsOf(exchange)}"`, observed: fault });
    }
    return { applied, breaches, profile: [...seen].map(([refusal, exchange]) => refusalPatch(refusal, exchange)) };
  },
);
