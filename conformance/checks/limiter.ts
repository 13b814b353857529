import { admissionOf } from '../../spec/limiter/admission.ts';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { readRetryAfter } from '../../spec/limiter/retry-after.ts';
import { throttledBodyFault } from '../../spec/limiter/throttled-body-fault.ts';
import { type Check, type CheckContext, check } from '../check.ts';
import { statusOf } from '../expect.ts';
import { type LimiterRun, limiterRun } from '../limiter-run.ts';
import { Inconclusive, Unexpected } from '../outcome.ts';
import { blameOf, refusedTooEarly } from './limiter-blame.ts';
import { limiterIsolation } from './limiter-isolation.ts';
import { limiterWrite } from './limiter-write.ts';

const limited = { after: 'limits', keys: { limits: { use: 'limits' } } } as const;

type Context = CheckContext<never, 'limits'>;

const blamed = (context: Context, run: LimiterRun) => context.shared('limiter-blame', async () => blameOf(run));

/** The shared run; null while only a plan is made, when there is nothing to judge. */
async function runOf(context: Context): Promise<LimiterRun | null> {
  const run = await limiterRun(context, context.keys.limits);
  return run.planned ? null : run;
}

const words = ({ judgement }: LimiterRun) =>
  `${judgement.limit.perSecond} per second and a burst of ${judgement.limit.burst}`;

/** @throws Inconclusive where the run was not able to show deviations of this kind. */
function expectShown({ judgement }: LimiterRun, kind: 'rate' | 'burst'): void {
  const missed = judgement.missed.filter((what) => what.includes(kind));
  if (missed.length > 0) throw new Inconclusive(`the run could not have shown ${missed.join(', ')}`);
}

function deviation(run: LimiterRun): Unexpected {
  const { tooLax, reason } = run.judgement;
  // Others who use the key make a limiter look stricter than it is, never laxer.
  return new Unexpected(words(run), `${describeJudgement(run.judgement)} (${reason})`, { final: tooLax !== undefined });
}

const steady = check({
  ...limited,
  id: 'limiter/steady-rate',
  rule: 'limiter/steady-rate',
  title: 'the key sustains its rate under overload, not less and not more',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    if ((await blamed(context, run)).rate) throw deviation(run);
    expectShown(run, 'rate');
    context.observe(describeJudgement(run.judgement));
  },
});

const paced = check({
  ...limited,
  id: 'limiter/paced',
  rule: 'limiter/steady-rate',
  title: 'a key that is used at its rate, and no faster, is never throttled',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    const throttled = run.paced.filter(({ status }) => admissionOf(status) === 'throttled').length;
    if (refusedTooEarly(run.paced, run.judgement.limit))
      throw new Unexpected('no request of a paced key is throttled', `${throttled} of ${run.paced.length} were`);
    context.observe(`${run.paced.length} paced requests, ${throttled} throttled`);
  },
});

const burst = check({
  ...limited,
  id: 'limiter/burst',
  rule: 'limiter/burst',
  title: 'a rested key admits its burst on top of the rate, not less and not more',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    if ((await blamed(context, run)).burst) throw deviation(run);
    expectShown(run, 'burst');
    context.observe(describeJudgement(run.judgement));
  },
});

const clustering = check({
  ...limited,
  id: 'limiter/clustering',
  rule: 'limiter/clustering-gains-nothing',
  title: 'no clustering of requests in time gets more than the rate and one burst through',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    if ((await blamed(context, run)).clustering) throw deviation(run);
    const all = run.trials.flatMap((trial) => trial.all);
    const lost = all.filter(({ status }) => admissionOf(status) === 'unknown').length;
    if (lost > all.length / 4) throw new Inconclusive(`${lost} of ${all.length} clustered requests got no answer`);
    context.observe(`${run.trials.length} trials, ${all.length} clustered requests`);
  },
});

const reading = check({
  ...limited,
  id: 'limiter/burst-reading',
  rule: 'limiter/burst-reading',
  title: 'how "a burst on top of the rate" is read',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    const { measured, limit } = run.judgement;
    const { best, low, high } = measured.burst;
    if (best === undefined) {
      context.observe(`between ${low.toFixed(0)} and ${high.toFixed(0)} at once`);
      return;
    }
    const { burst: held, perSecond } = limit;
    const known = {
      'bucket-20': held,
      'gcra-21': held + 1,
      'bucket-30': held + perSecond,
      'gcra-31': held + perSecond + 1,
    };
    const name = (Object.keys(known) as (keyof typeof known)[]).find((key) => known[key] === best);
    const isDefault = perSecond === 10 && held === 20;
    context.observe(`${best} at once`, name && isDefault ? { limits: { reading: name } } : undefined);
    if (best !== held) throw new Unexpected(`a bucket of ${held}`, `${best} at once`);
  },
});

/** The form of a reply is nobody's doing but the deployment's. */
const proven = { final: true };

/** @throws Inconclusive where no 429 came, which says something about the limiter, but nothing about what a 429 is like */
function throttledReplies({ replies }: LimiterRun) {
  const throttled = replies.filter(({ status }) => status === 429);
  if (throttled.length === 0) throw new Inconclusive('no request was answered 429');
  return throttled;
}

const is429 = check({
  ...limited,
  id: 'limiter/429',
  rule: 'limiter/over-the-rate-is-429',
  title: 'requests over the limit are answered 429',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    const count = run.replies.filter(({ status }) => status === 429).length;
    const other = run.replies.find(({ status }) => status >= 400 && status !== 429);
    if (count === 0 && other !== undefined)
      throw new Unexpected('a request over the limit: 429', statusOf(other), proven);
    if (count === 0 && run.judgement.tooLax)
      throw new Unexpected('a request over the limit: 429', run.judgement.reason, proven);
    if (count === 0) throw new Inconclusive('too few requests got through to exceed the limit');
    context.observe(`${count} of ${run.samples.length} requests were answered 429`);
  },
});

const body = check({
  ...limited,
  id: 'limiter/429-body',
  rule: 'limiter/429-body-is-one-message',
  title: 'the body of every 429 is an object whose only field is message, a string',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    for (const reply of throttledReplies(run)) {
      if (throttledBodyFault(reply.text) !== undefined)
        throw new Unexpected('{"message": a string} and nothing else', statusOf(reply), proven);
    }
  },
});

const header = check({
  ...limited,
  id: 'limiter/429-retry-after',
  rule: 'limiter/429-has-retry-after',
  title: 'every 429 says in Retry-After how many seconds to wait',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    const values = new Set<string>();
    for (const reply of throttledReplies(run)) {
      const value = reply.headers['retry-after']?.trim();
      const { fault } = readRetryAfter(value);
      if (fault !== undefined)
        throw new Unexpected('Retry-After, a number of seconds', `${reply.what} answered 429 with ${fault}`, proven);
      values.add(value ?? '');
    }
    const [only] = values;
    const fixed = values.size === 1 && only !== undefined && /^[2-9]$|^\d{2,}$/.test(only) ? Number(only) : null;
    const answer = `Retry-After: ${[...values].join(', ')}`;
    context.observe(answer, fixed === null ? undefined : { limits: { retryAfter: fixed } });
  },
});

const suffices = check({
  ...limited,
  id: 'limiter/retry-after-suffices',
  rule: 'limiter/waiting-retry-after-suffices',
  title: 'one request after the wait that Retry-After asks for is admitted',
  async run(context) {
    const run = await runOf(context);
    if (run === null) return;
    throttledReplies(run);
    const { verdict, reason } = run.retryAfter;
    if (verdict === 'broken') throw new Unexpected('a request after the wait passes', reason);
    // That there is no usable header is another rule's.
    if (verdict !== 'pass') throw new Inconclusive(reason);
    context.observe(reason);
  },
});

/** The limiter, measured once on the key that is kept for it; what needs a second key or a write comes after. */
export const limiter: readonly Check[] = [
  steady,
  paced,
  burst,
  clustering,
  reading,
  is429,
  body,
  header,
  suffices,
  limiterIsolation,
  ...limiterWrite,
];
