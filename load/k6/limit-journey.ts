import exec from 'k6/execution';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import type { Judgement } from '../../spec/limiter/judge.ts';
import { restSeconds } from '../../spec/limiter/limit.ts';
import { fillPath } from '../../spec/routes.ts';
import { probeOf } from '../plan/operation-of.ts';
import { ownJudgement } from '../plan/own-judgement.ts';
import { plannedTraffic } from '../plan/planned-traffic.ts';
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
    const probe = orAbort(() => probeOf(target));
    const key: DrivenKey = {
      label: `${target.tenants[0]?.name ?? ''}/${chosen.name}`,
      secret: chosen.secret,
      limit: chosen.rateLimit,
      method: probe.method,
      url: `${target.baseUrl}${fillPath(probe.path, {})}`,
      tags: { operationId: probe.id, rule: plan.rules[0] ?? '' },
    };
    if (position === 0) console.log(`${plan.name}: ${describeTraffic(traffic)}`);

    await preflight(key);
    await pause(restSeconds(key.limit) * 1000 + (plan.keys === 'all' ? spread(position, key.limit.perSecond) : 0));
    keyStarted.add(1, {
      scenario_name: plan.name,
      key: key.label,
      per_second: String(key.limit.perSecond),
      burst: String(key.limit.burst),
      position: String(position),
      seconds: String(seconds),
    });
    const own = judgedOutside() ? undefined : ownJudgement(plan, key.limit);
    await driveKey(key, phasesOf(position), (sample) => own?.keep(sample));
    const judgement = own?.end();
    if (judgement !== undefined) say(plan, key, judgement);
    keyEnded.add(1, { key: key.label });
  }

  return { options: optionsFor(plan, keys.length, traffic.seconds), drive };
}

/** One request with the key: the target answers and the key works, or nothing else is sent. */
async function preflight({ method, url, secret, label, tags }: DrivenKey): Promise<void> {
  const answer = await send({ method, url, headers: { 'x-api-key': secret }, tags: { ...tags, phase: 'preflight' } });
  orAbortPreflight(answer, `${method} ${url} with the key ${label}`);
}

/** Keys of a fleet do not fire in step: where the key's first request lies in its interval, in ms. */
const spread = (position: number, perSecond: number): number => ((position * 0.618034) % 1) * (1000 / perSecond);

/** Says what this VU's samples prove, by the clock that it has, so that a plain `k6 run` ends with thresholds that name the rule. */
function say(plan: LimitPlan, key: DrivenKey, judgement: Judgement): void {
  const { verdict, off } = judgement;
  const rule = off.burst !== 0 && off.rate === 0 ? 'limiter/burst' : 'limiter/steady-rate';
  const named = plan.rules.includes(rule) ? rule : (plan.rules[0] ?? rule);
  if (verdict === 'too-lax' || verdict === 'too-strict') broken.add(1, { rule: named, key: key.label, by: 'vu' });
  if (verdict === 'inconclusive') undecided.add(1, { key: key.label });
  console.log(`${plan.name}: ${key.label} ${describeJudgement(judgement)}`);
}
