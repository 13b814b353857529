import type { Check } from './check.ts';
import type { MeasuredLimiter } from './measured-limiter.ts';
import type { CheckResult } from './outcome.ts';
import type { Prepared } from './prepare.ts';
import type { ProfilePatch } from './profile-patch.ts';
import { type RunParts, runCheck } from './run-check.ts';
import { shared } from './shared.ts';

/**
 * Judges the limiter while other checks are under way. Nothing of it counts unless all is well: what looks like a fault may be
 * their doing, and is looked for again when they are done.
 * @param onStart told of each check; false when no more are to begin
 * @returns null where nothing counts
 */
export async function judgeInCompany(
  all: readonly Prepared[],
  parts: RunParts,
  onStart: (check: Check) => boolean,
): Promise<readonly CheckResult[] | null> {
  const patches: ProfilePatch[] = [];
  const measured: MeasuredLimiter[] = [];
  const company: RunParts = {
    ...parts,
    shared: shared(),
    onMeasured: (seen) => measured.push(seen),
    onProfile: (patch) => patches.push(patch),
  };
  const found: CheckResult[] = [];
  for (const prepared of all) {
    if (!onStart(prepared.check)) return null;
    const result = await runCheck(prepared, company);
    if (result.outcome !== 'pass' && result.outcome !== 'observed') return null;
    found.push(result);
  }
  measured.forEach(parts.onMeasured);
  patches.forEach(parts.onProfile);
  return found;
}
