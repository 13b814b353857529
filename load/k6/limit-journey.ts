import exec from 'k6/execution';
import { brokenRules } from '../../spec/limiter/broken-rules.ts';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import type { Judgement } from '../../spec/limiter/judge.ts';
import { restSeconds } from '../../spec/limiter/limit.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { ownJudgement } from '../plan/own-judgement.ts';
import { plannedTraffic } from '../plan/planned-traffic.ts';
import { type Probe, probesOf } from '../plan/probes.ts';
import { describeTraffic, refusals } from '../plan/refusals.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';
import { selectKeys } from '../plan/select-keys.ts';
import { type DrivenKey, driveKey } from './drive-key.ts';
import { abort, orAbort, orAbortPreflight } from './flow.ts';
import type { Journey } from './journey.ts';
import { broken, keyEnded, keyStarted, undecided } from './metrics.ts';
import { openTarget, resolveTarget } from './open-target.ts';
import { optionsFor } from './options-for.ts';
import { pause } from './pause.ts';
import { send } from './send.ts';
import { allowance, duration, judgedOutside, keyNames } from './settings.ts';

/** The journey of every scenario that judges limiters: one VU per key goes through the plan's phases and judges its key. */
export function limitJourney(plan: LimitPlan): Journey {
  const opened = openTarget();
  const keys = selectKeys(opened, plan.keys, keyNames());
  const limits = keys.map(({ rateLimit }) => rateLimit);
  const traffic = plannedTraffic(plan, limits, duration());
  const seconds = duration() ?? plan.seconds ?? 0;
  const phasesOf = (position: number) =>
    plan.phases(limits[position] ?? { perSecond: 10, burst: 20 }, seconds, position);

  async function drive(): Promise<void> {
    // Unique over all machines of a distributed run: every key has one owner.
    const position = exec.vu.idInTest - 1;
    const target = orAbort(() => resolveTarget(opened));
    const refused = refusals(plan, traffic, target.baseUrl, allowance());
    if (refused.length > 0) abort(refused.join('; '));
    const chosen = selectKeys(target, plan.keys, keyNames())[position];
    if (chosen === undefined) abort(`VU ${position + 1} has no key: do not change vus of this scenario`);
    const allowed = orAbort(() => probesOf(target, chosen));
    const { perSecond } = chosen.rateLimit;
    // Rested before the first request, too: a bucket that starts empty shows at once.
    await pause(restSeconds(chosen.rateLimit) * 1000 + (plan.keys === 'all' ? spread(position, perSecond) : 0));
    const key: DrivenKey = {
      label: `${target.tenants[0]?.name ?? ''}/${chosen.name}`,
      secret: chosen.secret,
      limit: chosen.rateLimit,
      probes: plan.keys === 'one' ? allowed : allowed.slice(0, 1),
      baseUrl: target.baseUrl,
      headers: target.headers,
      rule: plan.rules[0] ?? '',
    };
    if (position === 0) console.log(`${plan.name}: ${describeTraffic(traffic)}`);

    keyStarted.add(1, {
      scenario_name: plan.name,
      key: key.label,
      per_second: String(key.limit.perSecond),
      burst: String(key.limit.burst),
      position: String(position),
      seconds: String(seconds),
    });
    const own = judgedOutside() ? undefined : ownJudgement(plan, key.limit);
    const keep = (observation: Observation) => own?.keep(observation);
    const probes = await preflight(key, keep);
    await pause(restSeconds(key.limit) * 1000);
    await driveKey({ ...key, probes }, phasesOf(position), keep);
    const judgement = own?.end();
    if (judgement !== undefined) say(plan, key, judgement);
    keyEnded.add(1, { key: key.label });
  }

  return { options: optionsFor(plan, keys.length, traffic.seconds), drive };
}

/**
 * One request of each kind: the target answers and the key works, or nothing else is sent. Kinds that do not succeed are left out.
 * A 429 is asked once more after a rest: a bucket that starts empty is the limiter's fault, and no reason to stop.
 */
async function preflight(key: DrivenKey, keep: (observation: Observation) => void): Promise<readonly Probe[]> {
  const ask = async ({ operationId, method, path, body }: Probe) => {
    const headers = {
      ...key.headers,
      'x-api-key': key.secret,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const tags = { operationId, rule: key.rule, key: key.label, phase: 'preflight' };
    const answer = await send({
      method,
      url: `${key.baseUrl}${path}`,
      headers,
      tags,
      reads: false,
      ...(body !== undefined && { body }),
    });
    keep(answer.sample);
    return answer;
  };
  const [first, ...others] = key.probes;
  if (first === undefined) return [];
  let answer = await ask(first);
  if (answer.status === 429) {
    await pause(restSeconds(key.limit) * 1000);
    answer = await ask(first);
  }
  orAbortPreflight(answer, `${first.method} ${key.baseUrl}${first.path} with the key ${key.label}`);
  const usable = [first];
  for (const probe of others) {
    const { status } = await ask(probe);
    if (status >= 200 && status <= 299) usable.push(probe);
    else console.warn(`${probe.operationId} answered ${status}, and is left out`);
  }
  return usable;
}

/** Keys of a fleet do not fire in step: where the key's first request lies in its interval, in ms. */
const spread = (position: number, perSecond: number): number => ((position * 0.618034) % 1) * (1000 / perSecond);

/** Says what this VU's samples prove, by the clock that it has, so that a plain `k6 run` ends with thresholds that name the rule. */
function say(plan: LimitPlan, key: DrivenKey, judgement: Judgement): void {
  for (const rule of brokenRules(judgement)) {
    const named = plan.rules.includes(rule) ? rule : (plan.rules[0] ?? rule);
    broken.add(1, { rule: named, key: key.label, by: 'vu' });
  }
  if (judgement.verdict === 'inconclusive') undecided.add(1, { key: key.label });
  console.log(`${plan.name}: ${key.label} ${describeJudgement(judgement)}`);
}
