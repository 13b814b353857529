import { admissionOf } from '../spec/limiter/admission.ts';
import { type Judgement, judge } from '../spec/limiter/judge.ts';
import { judgeRetryAfter, type RetryAfterJudgement } from '../spec/limiter/judge-retry-after.ts';
import type { Observation } from '../spec/limiter/observation.ts';
import { readRetryAfter } from '../spec/limiter/retry-after.ts';
import type { CheckContext } from './check.ts';
import { type Shooter, type Shot, samplesOf, shooterOf } from './limiter-shots.ts';
import type { Reply } from './reply.ts';
import type { KeyOfTenant } from './target/keys.ts';

/** One clustered attack: a volley of more than any reading admits, and more volleys while a window might end. */
export interface Trial {
  readonly volley: readonly Observation[];
  readonly all: readonly Observation[];
}

/** The measured run that all checks of the limiter share. */
export interface LimiterRun {
  readonly planned: boolean;
  readonly key: KeyOfTenant;
  /** From a full bucket, at the declared rate. */
  readonly paced: readonly Observation[];
  readonly trials: readonly Trial[];
  /** 1.5 times the rate for half a minute, right after the last trial. */
  readonly sustained: readonly Observation[];
  readonly samples: readonly Observation[];
  readonly judgement: Judgement;
  /** Every reply, in the order of sending. */
  readonly replies: readonly Reply[];
  readonly retryAfter: RetryAfterJudgement;
}

type Needed = Pick<CheckContext, 'call' | 'now' | 'sleep' | 'deployment' | 'planning' | 'shared' | 'measured'>;

const sustainedSeconds = 30;
const pacedSeconds = 5;
/** Windows of the length of burst / rate are met in four phases, a quarter apart. */
const trialCount = 4;

/** The run of this key, made by whoever asks first. @throws Inconclusive when nothing can be measured */
export const limiterRun = (context: Needed, key: KeyOfTenant): Promise<LimiterRun> =>
  context.shared('limiter-run', () => measureLimiter(context, key));

async function measureLimiter(context: Needed, key: KeyOfTenant): Promise<LimiterRun> {
  const shooter = await shooterOf(context, key);
  const { perSecond, burst } = shooter.limit;

  await shooter.rest();
  const paced = await Promise.all(await shooter.steady(Math.ceil(perSecond * pacedSeconds), 1000 / perSecond));
  await shooter.rest();
  const { trials, sustained } = await attack(context, shooter);
  const before = [...paced, ...trials.flatMap(({ all }) => all), ...sustained];
  const retries = await retry(context, shooter, before);

  const shots = [...before, ...retries.shots];
  const samples = samplesOf(shots);
  const judgement = judge({ perSecond, burst }, samples);
  if (!context.planning) context.measured({ samples, judgement });
  return {
    planned: context.planning,
    key,
    paced: samplesOf(paced),
    trials: trials.map(({ volley, all }) => ({ volley: samplesOf(volley), all: samplesOf(all) })),
    sustained: samplesOf(sustained),
    samples,
    judgement,
    replies: shots.flatMap(({ reply }) => reply ?? []),
    retryAfter: retries.judgement,
  };
}

interface Attack {
  readonly trials: readonly { readonly volley: readonly Shot[]; readonly all: readonly Shot[] }[];
  readonly sustained: readonly Shot[];
}

async function attack({ now, sleep }: Needed, shooter: Shooter): Promise<Attack> {
  const { perSecond, burst } = shooter.limit;
  const full = (burst / perSecond) * 1000;
  // Beyond the most generous reading (burst + rate + 1) by as much as shows a burst that is too large by a quarter.
  const volleySize = Math.max(2 * burst, Math.ceil(1.3 * (burst + perSecond + 1)));
  // Three quarters of a window further each time; long enough for the bucket to be full again, with half a second to spare.
  const spacing = full * (Math.max(1, Math.ceil(500 / full + 0.7)) + 0.75);
  const start = now();
  const sent: { volley: Promise<Shot>[]; all: Promise<Shot>[] }[] = [];
  for (let i = 0; i < trialCount; i++) {
    await sleep(Math.max(0, start + i * spacing - now()));
    const volley = shooter.volley(volleySize);
    const all = [...volley];
    for (const part of [0.15, 0.3, 0.45]) {
      await sleep(Math.max(0, start + i * spacing + part * full - now()));
      all.push(...shooter.volley(Math.ceil(burst)));
    }
    sent.push({ volley, all });
  }
  const interval = 1000 / (1.5 * perSecond);
  const sustained = await shooter.steady(Math.ceil((sustainedSeconds * 1000) / interval), interval);
  const trials = await Promise.all(
    sent.map(async ({ volley, all }) => ({ volley: await Promise.all(volley), all: await Promise.all(all) })),
  );
  return { trials, sustained: await Promise.all(sustained) };
}

/** A suggestion to wait longer than this many seconds is not tried. */
const longestWait = 60;

/** Waits as long as the last 429 says, and what others may have taken since, then sends one request. */
async function retry(
  { now, sleep, planning }: Needed,
  shooter: Shooter,
  before: readonly Shot[],
): Promise<{ readonly shots: readonly Shot[]; readonly judgement: RetryAfterJudgement }> {
  const throttled = before.filter(({ sample }) => admissionOf(sample.status) === 'throttled').at(-1);
  const shots: Shot[] = [];
  if (throttled === undefined || planning) {
    if (planning) shots.push(await shooter.fire());
    return { shots, judgement: { verdict: 'inconclusive', reason: 'nothing was throttled' } };
  }
  const value = throttled.reply?.headers['retry-after'];
  const judged = () => {
    const others = samplesOf([...before, ...shots]).filter((sample) => sample !== throttled.sample);
    return judgeRetryAfter({ value, throttled: throttled.sample, others, limit: shooter.limit });
  };
  const { seconds } = readRetryAfter(value);
  if (seconds === undefined) return { shots, judgement: judged() };
  if (seconds > longestWait)
    return {
      shots,
      judgement: { verdict: 'inconclusive', seconds, reason: `Retry-After says ${seconds} s, too long to try` },
    };

  const since = samplesOf(before).filter(
    ({ status, doneAt, sentAt }) =>
      (admissionOf(status) === 'admitted' && doneAt + 2 >= throttled.sample.sentAt) ||
      (admissionOf(status) === 'unknown' && sentAt >= throttled.sample.sentAt - 10_000),
  );
  const refill = Math.min(5_000, (since.length * 1001) / shooter.limit.perSecond);
  for (let attempt = 0; attempt < 3; attempt++) {
    await sleep(Math.max(0, throttled.sample.doneAt + seconds * 1001 + refill + 10 - now()));
    shots.push(await shooter.fire());
    if (admissionOf(shots.at(-1)?.sample.status ?? 0) !== 'unknown') break;
  }
  return { shots, judgement: judged() };
}
