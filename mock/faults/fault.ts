import type { FaultSpec } from '../arguments/shapes.ts';
import { VerificationError } from '../journal/verification.ts';

/** A fault that was added to the mock. */
export interface Fault {
  readonly id: string;
  readonly spec: FaultSpec;
  /** How many requests the fault has affected. */
  readonly hits: number;
  /** How many more requests the fault will affect: null for no limit, 0 if the fault has ended. */
  readonly remaining: number | null;
  /** When its time is over, in milliseconds since the epoch by the mock's clock; null for a fault without `lasts`. */
  readonly endsAt: number | null;
}

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
