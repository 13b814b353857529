/** The measurement of the reserved key, beside everything else: a volley after a long rest, a wait that a 429 asked for, a long overload. */
import { readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { open } from '../../contract/request.ts';
import type { Bench } from '../../experiments/bench.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import type { Script } from '../script.ts';
import {
  lightReadsOf,
  limitOf,
  overBurst,
  play,
  requestsOf,
  restAfter,
  type Sent,
  type Shot,
  volley,
} from './shots.ts';

/** Seconds. A longer Retry-After is not tried. */
const maxWait = 60;
/** Times as long as a bucket takes to fill: an idle key must not collect more than a burst. */
const longRest = 4;
/** An overload this many times the rate, for so many seconds, shows a rate that is wrong by a tenth. */
const [times, seconds] = [1.25, 15];
/** Milliseconds after which it begins: a limiter may change with its age. */
const late = 27_000;

export const rules: readonly RuleId[] = [
  'limiter/over-the-rate-is-429',
  'limiter/429-has-retry-after',
  'limiter/429-body-is-one-message',
  'limiter/waiting-retry-after-suffices',
  'limiter/steady-rate',
  'limiter/burst',
  'limiter/burst-reading',
  'limiter/clustering-gains-nothing',
];

/** User agents. A limiter must not have a bucket for each, because a client can choose its own. */
const agents = ['partnerkit-conformance', 'partnerkit-conformance (another client)'];

const byAgents = (request: Sent): Sent[] => agents.map((agent) => ({ ...request, headers: { 'user-agent': agent } }));

/**
 * A volley of one operation; then some requests more, because an answer takes longer than a token, and one after the wait that a 429 asks for.
 * @param isGentle leaves few throttled, which may take tokens
 */
export async function volleyAndRetry(
  b: Bench,
  key: KeyOfTenant,
  reads: readonly Sent[],
  isGentle = false,
): Promise<readonly Exchange[]> {
  const { scene } = b;
  const limit = limitOf(key);
  const request = reads.at(-1) as Sent;
  const first = await play(b, volley(key, byAgents(request), isGentle ? limit.burst + 2 : overBurst(limit)));
  await scene.sleep(20);
  const trip = Math.max(...first.map(({ sentAt, doneAt }) => doneAt - sentAt)) + 20;
  const refilled = Math.ceil((trip * limit.perSecond) / 1000);
  const more = await play(b, volley(key, [request], isGentle ? refilled + 1 : Math.ceil(limit.burst / 4)));
  const sent = [...first, ...more];
  const last = sent.at(-1);
  const { seconds: asked } = readRetryAfter(last?.headers['retry-after']);
  if (last?.status !== 429 || asked === undefined || asked > maxWait) return sent;
  // Throttled requests may have taken tokens, too, and those that were sent with this one may have been decided after it.
  const throttled = sent.filter(({ status }) => status === 429).length + 1;
  const tokens = (count: number) => (1000 * count) / limit.perSecond;
  await scene.sleep(Math.max(asked * 1001 + tokens(more.length + 1), tokens(throttled)) + 20);
  return [...sent, ...(await play(b, volley(key, [request], 1)))];
}

/** What a client may choose for each request. The addresses are those for documentation. */
const choices = [
  (n: number) => open('an address of its own', { headers: { 'x-forwarded-for': `192.0.2.${n % 255}` } }),
  (n: number) => open('a query of its own', { query: `?x=${n}` }),
] as const;

/** Each operation for a while, so that a limit of its own shows. @param odd whether every second request is sent in another way */
export function overload(
  key: KeyOfTenant,
  reads: readonly Sent[],
  how: { seconds?: number; odd?: boolean } = {},
): Shot[] {
  const perSecond = times * limitOf(key).perSecond;
  const [first, ...others] = reads as [Sent, ...Sent[]];
  const inTurn = [...others, first];
  return Array.from({ length: Math.round((how.seconds ?? seconds) * perSecond) }, (_, n) => {
    const request = inTurn[Math.floor((n / perSecond / seconds) * inTurn.length) % inTurn.length] as Sent;
    const change = how.odd ? choices[n % 4]?.(n) : undefined;
    return { at: (1000 * n) / perSecond, who: key, request: { ...request, ...(change && { change }) } };
  });
}

/** @param control sends beside the overload, far below its limit */
export function* measured(key: KeyOfTenant, control: KeyOfTenant | undefined): Generator<Script> {
  const common = { tries: rules, uses: [], limits: 'parallel', locks: [`key ${key.tenant}/${key.name}`] } as const;
  let since: number | null = null;
  let sent: readonly Exchange[] = [];
  yield {
    ...common,
    id: 'limiter/volley',
    title: `after a rest, key ${key.name} sends more than its burst, and one request after the Retry-After of a 429`,
    async run(b) {
      since = b.scene.now();
      const { burst, perSecond } = limitOf(key);
      await b.sleep(longRest * 1000 * (burst / perSecond + 1));
      sent = await volleyAndRetry(b, key, await requestsOf(b, key));
    },
  };
  yield {
    ...common,
    id: 'limiter/overload',
    title: `key ${key.name} sends ${times} times its rate for ${seconds} s, some requests with another address or query`,
    async run(b) {
      await b.sleep(Math.max(restAfter(key, sent), (since ?? 0) + late - b.scene.now()));
      const reads = await requestsOf(b, key);
      const [odd] = b.scene.planning
        ? []
        : await play(b, [{ at: 0, who: key, request: { ...(reads[0] as Sent), change: choices[0](0) } }]);
      const shots = overload(key, reads, { odd: odd === undefined || succeeded(odd) });
      const beside = control ? await lightReadsOf(b, control) : [];
      // Another key at the same moments, far below its limit.
      const others = control
        ? volley(control, beside, seconds / 2).map((shot, n): Shot => ({ ...shot, at: 2000 * n }))
        : [];
      await play(b, [...shots, ...others]);
    },
  };
}
