import { Worker } from 'node:worker_threads';
import type { DefectResult } from './judge-defect.ts';
import type { VariantResult } from './judge-variant.ts';

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
  const waiting = [...jobs];
  const all: JobResult = { defects: [], variants: [] };
  let done = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('proof-worker.ts', import.meta.url));
      const next = () => {
        const job = waiting.shift();
        if (job !== undefined) worker.postMessage(job);
        else worker.terminate().then(() => resolve(), reject);
      };
      worker.on('error', reject);
      worker.on('message', (result: JobResult) => {
        all.defects.push(...result.defects);
        all.variants.push(...result.variants);
        onDone(result, ++done);
        next();
      });
      next();
    });
  await Promise.all(Array.from({ length: threads }, work));
  return all;
}
