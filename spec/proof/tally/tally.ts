import { TestRunner } from 'vitest';

/** What a test of hardening tried, and what came of it. */
export interface Tally {
  /** Inputs sent: requests, files, sequences; the test's name says which. */
  readonly inputs: number;
  /** Faults caused on purpose: dropped connections, crashes, full disks. */
  readonly faults?: number;
  /** What was lost, leaked or left inconsistent. The test fails unless this is 0; it is here to be printed. */
  readonly lost?: number;
}

declare module 'vitest' {
  interface TaskMeta {
    tally?: Tally;
  }
}

/**
 * Adds to what the running test tried; `spec/proof/tally/reporter.ts` prints the sums at the end of the run.
 * @throws Error outside of a test.
 */
export function tally({ inputs, faults = 0, lost = 0 }: Tally): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error('tally() counts for the test that runs: call it inside of one');
  const { meta } = test;
  const so = meta.tally;
  meta.tally = {
    inputs: (so?.inputs ?? 0) + inputs,
    faults: (so?.faults ?? 0) + faults,
    lost: (so?.lost ?? 0) + lost,
  };
}
