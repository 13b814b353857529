import { VerificationError } from '../journal/verification-error.ts';
import type { Fault } from './fault.ts';

/**
 * A fault that never struck says that the code under test did not ask what its test believes it asked.
 * @throws VerificationError naming the faults that have struck no request
 */
export function verifyUsed(faults: readonly Fault[]): void {
  const unused = faults.filter(({ hits }) => hits === 0);
  if (unused.length === 0) return;
  const lines = unused.map(({ id, spec }) => `  ${id}: ${JSON.stringify(spec)}`);
  const explanation = [`${unused.length} of ${faults.length} faults struck no request:`, ...lines].join('\n');
  throw new VerificationError({ verified: false, count: unused.length, explanation, nearMisses: [] });
}
