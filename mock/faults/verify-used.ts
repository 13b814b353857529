import { VerificationError } from '../journal/verification.ts';
import type { Fault } from './fault.ts';

/**
 * An unused fault shows that the code under test did not send the request that its test expects.
 * @throws VerificationError naming the faults that have affected no request
 */
export function verifyUsed(faults: readonly Fault[]): void {
  const unused = faults.filter(({ hits }) => hits === 0);
  if (unused.length === 0) return;
  const lines = unused.map(({ id, spec }) => `  ${id}: ${JSON.stringify(spec)}`);
  const explanation = [`${unused.length} of ${faults.length} faults affected no request:`, ...lines].join('\n');
  throw new VerificationError({ verified: false, count: unused.length, explanation, nearMisses: [] });
}
