import type { Deployment } from '../../target/deployment.ts';
import { keyProblems } from './keys.ts';
import { type Asking, assertReachable, UntrueTarget } from './reachable.ts';
import { recordProblems, spareLabelProblems, uploadTypeProblems } from './records.ts';
import { crossings, sharedIdProblems, strangerProblems } from './tenants.ts';

/** Each says what is wrong in the target file, as `field: what came back, what to do`. */
const checks: readonly ((deployment: Deployment, asking: Asking) => Promise<readonly string[]>)[] = [
  keyProblems,
  recordProblems,
  strangerProblems,
  sharedIdProblems,
  spareLabelProblems,
  uploadTypeProblems,
];

/**
 * Checks that the API is at baseUrl, and that each key, id and label of the target file exists.
 * @throws PreflightError in one sentence: what was tried, what came back, what to do
 * @throws UntrueTarget with fields and replies. A reply that a broken deployment could explain as well is no problem of the target file
 */
export async function preflight(deployment: Deployment, asking: Asking): Promise<void> {
  await assertReachable(deployment, asking);
  const problems: string[] = [];
  for (const check of checks) problems.push(...(await lasting(() => check(deployment, asking))));
  if (problems.length > 0) throw new UntrueTarget([...problems, ...(await crossings(deployment, asking))]);
}

/** How often a check that has found problems is repeated. */
const repeats = 5;

/** Problems that are found each time: a deployment that answers now so and now otherwise is to be judged, and a target file is always wrong. */
async function lasting(check: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const fieldOf = (problem: string) => problem.slice(0, problem.indexOf(': '));
  let problems = await check();
  for (let i = 0; i < repeats && problems.length > 0; i++) {
    const again = new Set((await check()).map(fieldOf));
    problems = problems.filter((problem) => again.has(fieldOf(problem)));
  }
  return problems;
}
