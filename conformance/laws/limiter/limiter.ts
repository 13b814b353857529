import { describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import { judgeRetryAfter } from '../../../spec/limiter/judge-retry-after.ts';
import { restSeconds } from '../../../spec/limiter/limit.ts';
import { manyTokens, missingAtFirst, missingTokens } from '../../../spec/limiter/missing-tokens.ts';
import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import { throttledBodyFault } from '../../../spec/limiter/reply/throttled-body-fault.ts';
import { counted } from '../../counted.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { keysWith } from '../../target/keys.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, type Finding, type Law, lawOf } from '../judging/law.ts';
import { labelEffects } from '../labels/label-effects.ts';
import { usedUpBy } from '../uploads/upload-register.ts';
import {
  type Blame,
  beforePauses,
  fullSince,
  isLax,
  type KeyUse,
  keysIn,
  restedRuns,
  sampleOf,
  samplesOf,
  withRejected,
} from './limiter-in.ts';

const isThrottled = ({ status, operation }: Exchange) => status === 429 && operation !== 'storage';

const limitWords = ({ key, limit }: KeyUse) =>
  `key ${key}: ${limit.perSecond} requests per second and a burst of ${limit.burst}`;

/** The exchange that best shows a wrong limiter: the last of too many admitted requests, or the 429 with the strongest proof. */
function evidenceIn({ exchanges, judgement: { tooStrict, tooLax }, shut }: KeyUse): Exchange {
  if (shut[0] !== undefined) return shut[0];
  const inWindow =
    tooLax && exchanges.filter(({ sentAt, doneAt }) => sentAt >= tooLax.from - 1 && doneAt <= tooLax.to + 1);
  const refused = tooStrict && exchanges.filter(isThrottled).find(({ sentAt }) => sentAt >= tooStrict.at - 1);
  return inWindow?.findLast(succeeded) ?? refused ?? (exchanges[0] as Exchange);
}

/** Operations that were never throttled while others were. */
function exemptOperations({ exchanges }: KeyUse): readonly string[] {
  const unpaced = exchanges.filter(({ paced }) => !paced);
  const share = unpaced.filter(isThrottled).length / Math.max(1, unpaced.length);
  return [...Map.groupBy(unpaced, ({ operation, method }) => `${method} ${operation}`)]
    .filter(([, group]) => share > 0.2 && group.length >= 10 && !group.some(isThrottled))
    .map(([name, group]) => `none of ${group.length} requests of ${name} was throttled`);
}

/** `key acme/full got 504 times 429 in 920 requests: admits 5.0 rps: too strict by 50%`, with the proof. */
function summaryOf(use: KeyUse): string {
  const { exchanges, key, judgement, shut } = use;
  if (shut.length > 0)
    return `after a 429, nothing was sent with key ${key} until Retry-After had passed, and the next request was throttled as well, all ${shut.length} times`;
  const sentence = describeJudgement(judgement);
  const words = sentence.includes(judgement.reason) ? [sentence] : [sentence, judgement.reason];
  const throttled = exchanges.filter(isThrottled).length;
  return [
    `key ${key} got ${throttled} times 429 in ${counted(exchanges.length, 'request')}: ${words[0]}`,
    ...words.slice(1),
    ...exemptOperations(use),
  ].join('; ');
}

/** A law about the bucket of every key. @param shown the part of the measurement that must have been possible */
const ofBuckets = (rule: Law['rule'], title: string, part: keyof Blame, shown: 'rate' | 'burst' | null): Law =>
  lawOf(rule, title, (history) => {
    const uses = keysIn(history);
    const broken = uses.filter(({ blame }) => blame[part]);
    const [certain, doubtful] = [
      broken.filter((use) => !use.interference),
      broken.flatMap(({ interference }) => interference ?? []),
    ];
    const [measured] = uses.filter((use) => use.measured && use.exchanges.some(({ paced }) => !paced));
    const missed = shown === null ? [] : (measured?.judgement.missed.filter((what) => what.includes(shown)) ?? []);
    const proven = measured !== undefined && (measured.judgement.tooLax ?? measured.judgement.tooStrict) !== undefined;
    return {
      // Without the measurement the law can find a breach, but cannot confirm that the rule is kept.
      applied: measured === undefined ? broken.length : uses.length,
      breaches: certain.map((use) => ({
        exchange: evidenceIn(use),
        expected: limitWords(use),
        observed: summaryOf(use),
      })),
      unclear: [
        ...doubtful,
        ...(missed.length > 0 && !proven ? [`the run could not have shown ${missed.join(', ')}`] : []),
      ],
      ...(measured && {
        answers: [
          describeJudgement(measured.judgement),
          ...(measured.rejectedConsume === 'surely'
            ? ['throttled requests take tokens as well: under overload next to nothing is admitted']
            : []),
        ],
      }),
    };
  });

const reading: Law = {
  id: 'limiter/burst-reading',
  rule: 'limiter/burst-reading',
  title: 'how "a burst on top of the rate" is read',
  judge(history) {
    const use = keysIn(history).find(({ measured, exchanges }) => measured && exchanges.some(({ paced }) => !paced));
    if (use === undefined) return { applied: 0, breaches: [] };
    const { perSecond, burst } = use.limit;
    const { best, low, high } = use.judgement.measured.burst;
    if (best === undefined)
      return { applied: 1, breaches: [], answers: [`between ${low.toFixed(0)} and ${high.toFixed(0)} at once`] };
    const readings = {
      'bucket-20': burst,
      'gcra-21': burst + 1,
      'bucket-30': burst + perSecond,
      'gcra-31': burst + perSecond + 1,
    };
    const name = (Object.keys(readings) as (keyof typeof readings)[]).find((one) => readings[one] === best);
    const isDefault = perSecond === 10 && burst === 20;
    return {
      applied: 1,
      breaches:
        best === burst
          ? []
          : [{ exchange: use.exchanges[0] as Exchange, expected: `a bucket of ${burst}`, observed: `${best} at once` }],
      answers: [`${best} at once`],
      ...(name && isDefault && { profile: [{ limits: { reading: name } }] }),
    };
  },
};

/** Milliseconds. A slower reply counts as delayed by the limiter, if nothing was throttled. */
const minDelay = 1_000;

const is429: Law = {
  id: 'limiter/over-the-rate-is-429',
  rule: 'limiter/over-the-rate-is-429',
  title: 'requests over the limit are answered 429, and nothing else',
  judge(history): Finding {
    const overloads = keysIn(history).flatMap((use) => {
      const over = use.exchanges.filter(({ paced }) => !paced);
      const admitted = over.map((exchange) => ({ ...sampleOf(exchange), status: 200 }));
      return isLax(admitted, use.limit) ? [{ use, over }] : [];
    });
    const breaches: Breach[] = [];
    const unclear: string[] = [];
    for (const { use, over } of overloads) {
      const expected = `a request over the limit of key ${use.key}: 429`;
      const throttled = over.filter(isThrottled).length;
      // These requests are lawful and succeed at other times, so the limiter must have refused them.
      const otherRefusals = over.filter(
        (one) =>
          one.status !== null &&
          one.status >= 300 &&
          one.status < 500 &&
          one.status !== 429 &&
          refusesLawful(one, use, history),
      );
      for (const exchange of otherRefusals) breaches.push({ exchange, expected, observed: `${exchange.status}` });
      const errors = over.filter(({ status }) => status !== null && status >= 500);
      const [first] = errors;
      if (first !== undefined && (errors.length > over.length * 0.05 || replaces429(over))) {
        const observed = `${first.status} for ${errors.length} of ${over.length} requests`;
        // A deployment that fails now and then also fails below the limit.
        const below = samplesOf(use, 'paced');
        const alwaysServed = below.length >= minBelow && below.every(({ status }) => status < 500);
        if (throttled === 0 || alwaysServed) breaches.push({ exchange: first, expected, observed });
        else unclear.push(`over its limit, key ${use.key} got ${throttled} times 429, but also ${observed}`);
      } else if (throttled === 0 && otherRefusals.length === 0) {
        const slow = over.filter(({ status, sentAt, doneAt }) => status !== null && doneAt - sentAt > minDelay);
        const [delayed] = slow;
        const maxDelay = slow.reduce((max, { sentAt, doneAt }) => Math.max(max, doneAt - sentAt), 0);
        if (use.judgement.tooLax)
          breaches.push({ exchange: evidenceIn(use), expected, observed: `no 429 at all: ${use.judgement.reason}` });
        else if (delayed !== undefined && slow.length > over.length / 10)
          breaches.push({
            exchange: delayed,
            expected,
            observed: `no 429 at all: ${slow.length} of ${over.length} requests were delayed instead, for up to ${(maxDelay / 1000).toFixed(1)} s`,
          });
        else
          unclear.push(`no request of key ${use.key} was answered 429, but too few were admitted to exceed its limit`);
      }
    }
    const unseen = keysIn(history)
      .filter(({ exchanges }) => !exchanges.some(isThrottled))
      .map(({ key }) => `key ${key}`);
    const count = overloads.flatMap(({ over }) => over.filter(isThrottled)).length;
    return {
      applied: overloads.length,
      breaches,
      unclear,
      answers: [
        `${count} of ${overloads.flatMap(({ over }) => over).length} unpaced requests were answered 429`,
        ...(unseen.length > 0 ? [`no limit was seen of ${unseen.join(', ')}`] : []),
        ...overloads.flatMap(({ use }) => exemptOperations(use)),
      ],
    };
  },
};

/** Whether an operation is answered 5xx in place of 429. */
const replaces429 = (over: readonly Exchange[]) =>
  [...Map.groupBy(over, ({ operation }) => operation).values()].some(
    (group) =>
      !group.some(isThrottled) &&
      group.filter(({ status }) => (status ?? 0) >= 500).length > group.length / 2 &&
      group.length >= minBelow,
  );

/** Requests below the limit that rule out errors by chance. */
const minBelow = 20;

/** Whether the request is lawful, and succeeded with this key at another time. */
const refusesLawful = (exchange: Exchange, { exchanges }: KeyUse, history: History) =>
  askedBy(exchange, history).lawful &&
  exchanges.some(
    (other) =>
      succeeded(other) &&
      other.operation === exchange.operation &&
      other.url === exchange.url &&
      other.method === exchange.method,
  );

/** A law about every 429. */
const of429s = (
  rule: Law['rule'],
  aspect: string | null,
  title: string,
  expected: string,
  faultOf: (exchange: Exchange) => string | undefined,
  more: (throttled: readonly Exchange[]) => Partial<Finding> = () => ({}),
): Law => ({
  id: aspect === null ? rule : `${rule}/${aspect}`,
  rule,
  title,
  judge({ exchanges }) {
    const throttled = exchanges.filter(isThrottled);
    return {
      applied: throttled.length,
      breaches: throttled.flatMap((exchange) => {
        const observed = faultOf(exchange);
        return observed === undefined ? [] : [{ exchange, expected, observed }];
      }),
      ...more(throttled),
    };
  },
});

const headerOf = ({ headers }: Exchange) => headers['retry-after'];

/** A year. Times in seconds since 1970 are longer. */
const maxSeconds = 366 * 24 * 3600;

const header = of429s(
  'limiter/429-has-retry-after',
  null,
  'every 429 says in Retry-After how many seconds to wait',
  'a 429 with Retry-After, a number of seconds',
  (exchange) => {
    const { fault, seconds = 0 } = readRetryAfter(headerOf(exchange));
    return (
      fault ??
      (seconds > maxSeconds ? `Retry-After: ${seconds}, which is a time and no number of seconds to wait` : undefined)
    );
  },
  (throttled) => {
    const values = [...new Set(throttled.map((one) => headerOf(one)?.trim() ?? 'nothing'))];
    const [only = ''] = values;
    const fixed = values.length === 1 && throttled.length > 1 && /^[2-9]$|^\d{2,}$/.test(only) ? Number(only) : null;
    return {
      ...(throttled.length > 0 && { answers: [`Retry-After: ${values.slice(0, 5).join(', ')}`] }),
      ...(fixed !== null && { profile: [{ limits: { retryAfter: fixed } }] }),
    };
  },
);

const wholeSeconds = of429s(
  // 0 and decimals are numbers of seconds too, so they break no must.
  'limiter/waiting-retry-after-suffices',
  'whole-seconds',
  'every Retry-After is a whole number of seconds, from 1 to 300, which all clients can wait for',
  'Retry-After, a whole number of seconds, from 1 to 300',
  (exchange) => readRetryAfter(headerOf(exchange)).doubt,
);

const body = of429s(
  'limiter/429-body-is-one-message',
  null,
  'the body of every 429 is an object whose only field is message, a string',
  '429 with {"message": a string} and nothing else',
  ({ body: text }) => throttledBodyFault(text),
);

/** Milliseconds. Tokens of older requests are refilled long since. */
const maxMemory = 120_000;

const suffices: Law = {
  id: 'limiter/waiting-retry-after-suffices',
  rule: 'limiter/waiting-retry-after-suffices',
  title: 'after the wait that Retry-After names, one request is admitted',
  judge(history) {
    let applied = 0;
    const breaches: Breach[] = [];
    const unclear = new Set<string>();
    for (const use of keysIn(history)) {
      for (const exchange of beforePauses(use.exchanges)) {
        const from = fullSince(use, exchange.sentAt);
        const near = use.exchanges.filter(
          (one) => one !== exchange && one.sentAt >= from && Math.abs(one.sentAt - exchange.sentAt) < maxMemory,
        );
        const judged = judgeRetryAfter({
          value: headerOf(exchange),
          throttled: sampleOf(exchange),
          // Throttled requests may take tokens, too.
          others: withRejected(near.map(sampleOf)),
          limit: use.limit,
        });
        if (judged.verdict === 'pass' || judged.verdict === 'broken') applied++;
        if (judged.verdict !== 'broken') continue;
        if (use.interference && !isUndisturbed(exchange, use)) unclear.add(use.interference);
        else breaches.push({ exchange, expected: 'a request after the wait passes', observed: judged.reason });
      }
    }
    return { applied, breaches, unclear: [...unclear] };
  },
};

/** Whether the key admitted its burst within a second of this 429, so that another client can hardly have exhausted it shortly afterwards. */
const isUndisturbed = ({ situation, sentAt }: Exchange, { exchanges, limit }: KeyUse) =>
  exchanges.filter(
    (one) => !one.paced && one.situation === situation && Math.abs(one.sentAt - sentAt) < 1_000 && succeeded(one),
  ).length >= limit.burst;

const beforeHandler: Law = {
  id: 'limiter/429-comes-before-the-handler',
  rule: 'limiter/429-comes-before-the-handler',
  title: 'no request that was answered 429 has changed anything',
  judge(history) {
    const writes = history.exchanges.filter(
      (exchange) =>
        isThrottled(exchange) &&
        (exchange.operation === 'registerSiteFile' || askedBy(exchange, history).write !== null),
    );
    const { breaches, unclear } = labelEffects(history, ({ status }) => status === 429);
    return { applied: writes.length, breaches: [...breaches, ...usedUpBy(429, history)], unclear };
  },
};

const unpaced = ({ exchanges }: KeyUse, situation: string) =>
  exchanges.filter((one) => one.situation === `limiter/${situation}` && !one.paced);

/** Compares keys: they are used at the same time, then alone. */
const ownBucket: Law = {
  id: 'limiter/own-bucket-per-key',
  rule: 'limiter/own-bucket-per-key',
  title: 'each key has a bucket of its own: no use of one key takes tokens from another',
  judge(history) {
    const { tenant } = deploymentIn(history);
    const uses = keysIn(history).filter((use) => unpaced(use, 'exhausted').length > 0);
    const exhausted = uses.find((use) => use.measured && unpaced(use, 'exhausted').some(isThrottled));
    const [narrow] = keysWith(tenant, []);
    const other = uses.find(({ key }) => key === `${tenant.name}/${narrow?.name}`);
    if (exhausted === undefined || other === undefined) return { applied: 0, breaches: [] };
    const breaches: Breach[] = [];
    const unclear: string[] = [];
    const expectedOf = ({ key }: KeyUse) => `key ${key} has a bucket of its own`;
    const compare = (use: KeyUse, observed: string) => {
      const [lacking = 0, alone = 0] = ['exhausted', 'alone'].map((situation) =>
        missingAtFirst(use.limit, unpaced(use, situation).map(sampleOf)),
      );
      if (lacking === 0) return;
      const [exchange] = unpaced(use, 'exhausted').filter(isThrottled);
      // The other key has taken half a burst or more. Another client that uses the key takes less.
      const isTooLittle = lacking < use.limit.burst / 4;
      if (isTooLittle || alone > 0 || exchange === undefined || unpaced(use, 'alone').length === 0)
        unclear.push(`key ${use.key} is throttled below its declared limit even when used alone`);
      else breaches.push({ exchange, expected: expectedOf(use), observed });
    };
    compare(other, `key ${other.key} is throttled while key ${exhausted.key} is exhausted, but not when used alone`);
    compare(
      exhausted,
      `key ${exhausted.key}, though rested, lacks the tokens that other keys have used, but not when used alone`,
    );
    for (const use of uses) {
      const { together, alone } = inTurn(use, uses);
      const [exchange] = together.flat().filter(isThrottled);
      if (exchange === undefined || together.length < minTurns || alone.length < minTurns) continue;
      const missing = (run: readonly Exchange[]) => missingTokens(use.limit, run.map(sampleOf));
      if (together.every((run) => missing(run) >= manyTokens(use.limit)) && alone.every((run) => missing(run) === 0))
        breaches.push({
          exchange,
          expected: expectedOf(use),
          observed: `key ${use.key}, though rested, lacked tokens all ${together.length} times when other keys were used at the same time, and none of ${alone.length} times alone`,
        });
    }
    return { applied: uses.length, breaches, unclear };
  },
};

/** So often, another client does not by chance use a key whenever other keys are used, and never when it is used alone. */
const minTurns = 3;

/** The volleys of a key that is used in turn together with other keys and alone. */
function inTurn(use: KeyUse, uses: readonly KeyUse[]) {
  const others = uses.filter((one) => one !== use).flatMap((one) => unpaced(one, 'apart'));
  const { perSecond, burst } = use.limit;
  // Shorter than the rests, so that the resolution of the clock does not matter.
  const runs = restedRuns(unpaced(use, 'apart'), { perSecond, burst: burst / 2 });
  const near = restSeconds(use.limit) * 500;
  const isTogether = (run: readonly Exchange[]) =>
    others.some(({ sentAt }) => run.some((one) => Math.abs(one.sentAt - sentAt) < near));
  return { together: runs.filter(isTogether), alone: runs.filter((run) => !isTogether(run)) };
}

/** Laws about the rate limiter: the bucket of every used key, and every 429. */
export const limiter: readonly Law[] = [
  is429,
  header,
  wholeSeconds,
  body,
  suffices,
  beforeHandler,
  ofBuckets('limiter/steady-rate', 'every key sustains its rate, not less and not more', 'rate', 'rate'),
  ofBuckets(
    'limiter/burst',
    'every rested key admits its burst on top of the rate, not less and not more',
    'burst',
    'burst',
  ),
  ofBuckets(
    'limiter/clustering-gains-nothing',
    'no clustering of requests in time gets more than the rate and one burst through',
    'clustering',
    null,
  ),
  reading,
  ownBucket,
];
