import { parentPort } from 'node:worker_threads';
import { checks } from '../checks/index.ts';
import { defects } from './defects/index.ts';
import { judgeDefect } from './judge-defect.ts';
import { judgeVariant } from './judge-variant.ts';
import { legalVariants } from './legal-variants/index.ts';
import { named } from './named.ts';
import { networkProfiles } from './network-profiles.ts';
import type { Job, JobResult } from './proof-jobs.ts';

/** One job after the other, as they come. */
parentPort?.on('message', async (job: Job) => {
  const results: JobResult = { defects: [], variants: [] };
  if (job.kind === 'defects') {
    for (const id of job.ids) results.defects.push(await judgeDefect(named(defects, id), checks));
  } else {
    const network = named(networkProfiles, job.network);
    const variant = named(legalVariants, job.variant);
    for (const seed of job.seeds) results.variants.push(await judgeVariant(variant, network, seed, checks));
  }
  parentPort?.postMessage(results);
});
