import type { Limit } from '../../../spec/limiter/limit.ts';
import type { Phase } from '../../../spec/limiter/phase.ts';
import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Exchange } from '../../history/exchange.ts';
import { type Fire, volley } from './senders.ts';

/** Seconds. A longer Retry-After is not tried. */
export const maxWait = 60;

/** Milliseconds that separate requests which must not count as sent at the same time. */
export const apart = 20;

/**
 * Runs one phase of a measurement.
 * @param isSettled whether later volleys have nothing more to show. This is asked only in longer pauses, since the answer takes time.
 */
export async function play(
  phase: Phase,
  { now, sleep }: Scene,
  fire: Fire,
  limit: Limit,
  isSettled: () => boolean = () => false,
): Promise<void> {
  const start = now();
  const until = (seconds: number) => sleep(Math.max(0, start + seconds * 1000 - now()));
  const sent: Promise<Exchange[]>[] = [];
  switch (phase.kind) {
    case 'steady':
      for (let i = 0; i < Math.round(phase.perSecond * phase.seconds); i++) {
        await until(i / phase.perSecond);
        sent.push(volley(1, fire));
      }
      await until(phase.seconds);
      break;
    case 'volleys':
      for (const [i, { at, requests }] of phase.volleys.entries()) {
        const isPause = at - (phase.volleys[i - 1]?.at ?? at) > 1;
        if (isPause && isSettled()) break;
        await until(at);
        sent.push(volley(requests, fire));
      }
      break;
    case 'idle':
      await sleep(phase.seconds * 1000);
      break;
    case 'ask': {
      // Earlier replies must surely be older, even on a clock with a resolution of milliseconds.
      await sleep(apart);
      sent.push(volley(phase.requests, fire));
      const throttled = (await Promise.all(sent))
        .flat()
        .filter(({ status }) => status === 429)
        .at(-1);
      const { seconds } = readRetryAfter(throttled?.headers['retry-after']);
      if (throttled === undefined || seconds === undefined || seconds > maxWait) break;
      // Other requests of the volley may have been decided after this one, so the tokens that they took are waited for as well, plus one.
      const taken = ((phase.requests + 1) * 1000) / limit.perSecond;
      await sleep(Math.max(0, throttled.doneAt + seconds * 1001 + taken + apart - now()));
      sent.push(volley(1, fire));
    }
  }
  await Promise.all(sent);
}
