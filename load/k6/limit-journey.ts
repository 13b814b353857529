import exec from 'k6/execution';
import { restSeconds } from '../../spec/limiter/limit.ts';
import type { PlannedRequest, RunKey } from '../run-file.ts';
import type { LimitPlan } from '../scenarios.ts';
import { driveKey } from './drive-key.ts';
import { abort, type Journey, keyEnded, keyStarted, pause, run } from './run.ts';
import { isSuccess, orAbortPreflight, send } from './send.ts';

/** The journey of every scenario that judges limiters: one VU per key goes through the plan's phases. */
export function limitJourney(plan: LimitPlan): Journey {
  async function drive(): Promise<void> {
    // Unique over all machines of a distributed run: every key has one owner.
    const position = exec.vu.idInTest - 1;
    const key = run.keys[position] ?? abort('script-failed', `VU ${position + 1} has no key: do not change its vus`);
    const restMs = restSeconds(key.limit) * 1000;
    // Rested before the first request, too: a bucket that starts empty shows at once.
    await pause(restMs + (plan.keys === 'all' ? spread(position, key.limit.perSecond) : 0));
    keyStarted(plan.name, key, position);
    const probes = await preflight(key, restMs);
    await pause(restMs);
    await driveKey({ ...key, probes }, plan.phases(key.limit, run.seconds, position));
    keyEnded(key);
  }
  return { vus: run.keys.length, drive };
}

/**
 * One request of each kind: the target answers and the key works, or nothing else is sent. Kinds that do not succeed are left out.
 * A 429 is asked once more after a rest: a bucket that starts empty is the limiter's fault, and no reason to stop.
 */
async function preflight({ label, secret, probes }: RunKey, restMs: number): Promise<readonly PlannedRequest[]> {
  const ask = (request: PlannedRequest) =>
    send({ request, secret, tags: { key: label, phase: 'preflight' }, reads: false });
  const [first, ...others] = probes;
  if (first === undefined) return [];
  let answer = await ask(first);
  if (answer.status === 429) {
    await pause(restMs);
    answer = await ask(first);
  }
  orAbortPreflight(answer, `${first.method} ${run.baseUrl}${first.path} with the key ${label}`);
  const usable = [first];
  for (const probe of others) if (isSuccess((await ask(probe)).status)) usable.push(probe);
  return usable;
}

/** Keys of a fleet do not fire in step: where the key's first request lies in its interval, in ms. */
const spread = (position: number, perSecond: number): number => ((position * 0.618034) % 1) * (1000 / perSecond);
