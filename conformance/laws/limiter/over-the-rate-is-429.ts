import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy } from '../judging/asked.ts';
import { type Breach, lawOf, once } from '../judging/law.ts';
import { outagesIn } from '../judging/outages.ts';
import { isLax } from './blame.ts';
import { evidenceIn, exemptOperations } from './buckets.ts';
import { isThrottled, type KeyUse, sampleOf, samplesOf } from './key-use.ts';
import { keysIn } from './keys-in.ts';
import { lateReplies, lateWords } from './late-replies.ts';

export const overTheRate = lawOf(
  'limiter/over-the-rate-is-429',
  'requests over the limit are answered 429, and nothing else',
  (history) => {
    const overloads = keysIn(history).flatMap((use) => {
      const over = use.exchanges.filter((one) => !one.paced && !outagesIn(history).has(one));
      const admitted = over.map((exchange) => ({ ...sampleOf(exchange), ...ofUnanswered(exchange), status: 200 }));
      return isLax(admitted, use.limit) ? [{ use, over }] : [];
    });
    const breaches: Breach[] = [];
    const unclear: string[] = [];
    for (const { use, over } of overloads) {
      const expected = expectedOf(use);
      const throttled = over.filter(isThrottled).length;
      // What lawful requests are answered below the limit as well is another fault.
      const usual = throttled > 0 ? refusalsBelow(history) : new Set();
      const otherRefusals = over.filter((one) => isOtherRefusal(one, use, history) && !usual.has(one.status));
      for (const exchange of otherRefusals) breaches.push({ exchange, expected, observed: inPlaceOf429(exchange) });
      const errors = over.filter(isError);
      const [first] = errors;
      const isOften =
        errors.length > over.length * 0.05 && atLeast(errors.length, over.length * errorsBelow(history)) < byChance;
      if (first !== undefined && (isOften || replaces429(over))) {
        const observed = `${inPlaceOf429(first)}, for ${errors.length} of ${over.length} requests`;
        // A deployment that fails now and then also fails below the limit.
        const below = samplesOf(use, 'paced');
        const alwaysServed = below.length >= minBelow && below.every(({ status }) => status > 0 && status < 500);
        if (throttled === 0 || alwaysServed) breaches.push({ exchange: first, expected, observed });
        else unclear.push(`over its limit, key ${use.key} got ${throttled} times 429, but also ${observed}`);
      } else if (throttled === 0 && otherRefusals.length === 0) {
        if (use.judgement.tooLax)
          breaches.push({
            exchange: evidenceIn(use),
            expected,
            observed: `no 429 at all: ${use.judgement.reason}; where the limit of this key was raised, its rateLimit says so`,
          });
        else
          unclear.push(`no request of key ${use.key} was answered 429, but too few were admitted to exceed its limit`);
      }
    }
    const held = keysIn(history).flatMap((use) => {
      const late = lateReplies(use, history);
      return late?.overLimit && !breaches.some(({ exchange }) => exchange.key === use.key) ? [{ use, late }] : [];
    });
    for (const { use, late } of held) {
      const [exchange] = late.late.toSorted((a, b) => b.doneAt - b.sentAt - (a.doneAt - a.sentAt));
      const observed = `late replies in place of 429: ${lateWords(use, late)}`;
      if (late.byLimiter && exchange)
        breaches.push({ exchange, expected: expectedOf(use), observed, with: late.overtaking.slice(0, 2) });
      else if (!use.exchanges.some(isThrottled)) unclear.push(lateWords(use, late));
    }
    const unseen = keysIn(history)
      .filter(({ exchanges }) => !exchanges.some(isThrottled))
      .map(({ key }) => `key ${key}`);
    const count = overloads.flatMap(({ over }) => over.filter(isThrottled)).length;
    return {
      applied: new Set([...overloads, ...held].map(({ use }) => use)).size,
      breaches,
      unclear,
      answers: [
        `${count} of ${overloads.flatMap(({ over }) => over).length} unpaced requests were answered 429`,
        ...(unseen.length > 0 ? [`no limit was seen of ${unseen.join(', ')}`] : []),
        ...overloads.flatMap(({ use }) => exemptOperations(use)),
      ],
    };
  },
);

const inPlaceOf429 = ({ status, failure }: Exchange) => `${status ?? `no reply (${failure})`} where 429 is documented`;

/** A failure of the service, in place of a reply about the request. */
const isError = ({ status }: Exchange) => status === null || status >= 500;

/** A request that is not answered arrives as soon as others, not when its reply is given up. */
const ofUnanswered = ({ status, sentAt }: Exchange) => (status === null ? { doneAt: sentAt } : {});

const expectedOf = ({ key }: KeyUse) => `a request over the limit of key ${key}: 429`;

/** Whether an operation is answered 5xx in place of 429. */
const replaces429 = (over: readonly Exchange[]) =>
  [...Map.groupBy(over, ({ operation }) => operation).values()].some(
    (group) => !group.some(isThrottled) && group.filter(isError).length > group.length / 2 && group.length >= minBelow,
  );

/** Twenty keys are overloaded: errors that are so unlikely are not only those that a deployment has below the limit as well. */
const byChance = 1e-4;

/** The probability of so many events or more where this number is expected (Poisson). */
function atLeast(count: number, expected: number): number {
  let [term, fewer] = [Math.exp(-expected), 0];
  for (let n = 0; n < count; n++) {
    fewer += term;
    term *= expected / (n + 1);
  }
  return 1 - fewer;
}

/** The share of requests below the limit that fail. */
const errorsBelow = once((history): number => {
  const below = history.exchanges.filter(({ paced }) => paced);
  return below.filter(isError).length / Math.max(1, below.length);
});

/** Requests below the limit that rule out errors by chance. */
const minBelow = 20;

/** The statuses that refuse lawful requests below the limit. */
const refusalsBelow = once(
  (history): ReadonlySet<unknown> =>
    new Set(
      keysIn(history).flatMap((use) =>
        use.exchanges.flatMap((one) => (one.paced && isOtherRefusal(one, use, history) ? [one.status] : [])),
      ),
    ),
);

/** Whether a request is refused otherwise than by 429, although it is lawful and succeeded with this key at another time. */
const isOtherRefusal = (exchange: Exchange, { exchanges }: KeyUse, history: History) =>
  exchange.status !== null &&
  exchange.status >= 300 &&
  exchange.status < 500 &&
  exchange.status !== 429 &&
  askedBy(exchange, history).lawful &&
  exchanges.some(
    (other) =>
      succeeded(other) &&
      other.operation === exchange.operation &&
      other.url === exchange.url &&
      other.method === exchange.method,
  );
