import { nodeEnvironment, UntrueTarget } from '../../../conformance/index.ts';
import { memoryJournal } from '../../../conformance/journal/write-journal.ts';
import { gather } from '../../../conformance/run/run.ts';
import type { Target } from '../../../spec/files/target.ts';

/**
 * Runs the preflight of conformance, to tell a wrong target file from a deployment that refuses a valid key.
 * @throws UntrueTarget naming the wrong field
 */
export async function assertTrueTarget(target: Target, kit: string): Promise<void> {
  const environment = nodeEnvironment(target);
  try {
    await gather(target, { environment, journal: memoryJournal(), kit, rules: new Set() });
  } catch (error) {
    if (error instanceof UntrueTarget) throw error;
  } finally {
    environment.close();
  }
}
