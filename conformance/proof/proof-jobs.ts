import type { DefectResult } from './judge-defect.ts';
import type { VariantResult } from './judge-variant.ts';
import { onThreads } from './on-threads.ts';

/** A piece of the proof that one worker does on its own. */
export type Job =
  | { readonly kind: 'defects'; readonly ids: readonly string[] }
  | { readonly kind: 'variant'; readonly variant: string; readonly network: string; readonly seeds: readonly number[] };

export interface JobResult {
  readonly defects: DefectResult[];
  readonly variants: VariantResult[];
}

/**
 * Does all jobs on as many threads, each with the checks loaded once.
 * @param onDone told after each job
 * @throws the error of a worker: then nothing is proven
 */
export async function doJobs(
  jobs: readonly Job[],
  threads: number,
  onDone: (result: JobResult, done: number) => void,
): Promise<JobResult> {
  const results = await onThreads(new URL('proof-worker.ts', import.meta.url), jobs, threads, onDone);
  return { defects: results.flatMap(({ defects }) => defects), variants: results.flatMap(({ variants }) => variants) };
}
