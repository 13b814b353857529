import type { Target } from '../../../spec/files/target.ts';

/**
 * Tells a target file that is not true from a deployment that refuses a good key, by asking as the preflight of conformance does.
 * @throws UntrueTarget with the field; nothing where it cannot be told
 */
export async function assertTrueTarget(target: Target, kit: string): Promise<void> {
  const [{ nodeEnvironment, UntrueTarget }, { gather }, { memoryJournal }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../conformance/run/run.ts'),
    import('../../../conformance/journal/write-journal.ts'),
  ]);
  const environment = nodeEnvironment();
  try {
    await gather(target, { environment, journal: memoryJournal(), kit, rules: new Set() });
  } catch (error) {
    if (error instanceof UntrueTarget) throw error;
  } finally {
    environment.close();
  }
}
