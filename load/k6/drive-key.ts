import type { Limit } from '../../spec/limiter/limit.ts';
import { malformed429 } from '../../spec/limiter/malformed-429.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import type { Phase, Volley } from '../../spec/limiter/phase.ts';
import { readRetryAfter } from '../../spec/limiter/retry-after.ts';
import { warmingOf } from '../plan/planned-traffic.ts';
import { doubtful, dropped, lateness, malformed, retryAfter } from './metrics.ts';
import { pause } from './pause.ts';
import { type Answer, send, sender } from './send.ts';

/** One key and what it sends; owned by one VU, because VUs share no memory and a key's samples belong together. */
export interface DrivenKey {
  readonly label: string;
  readonly secret: string;
  readonly limit: Limit;
  readonly method: string;
  readonly url: string;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * A request that would leave later than this is not sent: the plan is no longer kept. As long as a full bucket forgives what
 * is sent at once afterwards, a machine that stood still for a moment has lost nothing.
 */
const tooLateMs = ({ perSecond, burst }: Limit): number =>
  Math.min(5000, Math.max(1000, ((burst - 1) / perSecond) * 1000));
const noticeableMs = 5;
const apartMs = 20;
/** A Retry-After beyond this is not waited for. Long waits are no fault, they only cannot be tried here. */
const longestWaitSeconds = 120;

/** Goes through the phases, in real time. Resolves when every answer is there. */
export async function driveKey(
  key: DrivenKey,
  phases: readonly Phase[],
  keep: (sample: Observation) => void,
): Promise<void> {
  const onTheWay = new Set<Promise<unknown>>();
  let trial = 0;

  const inPhase = (phase: string, extra: Readonly<Record<string, string>> = {}) =>
    sender({
      method: key.method,
      url: key.url,
      headers: { 'x-api-key': key.secret },
      tags: { ...key.tags, ...extra, key: key.label, phase },
    });

  async function request(sendOne: () => Promise<Answer>): Promise<Answer> {
    const answer = await sendOne();
    keep(answer.sample);
    if (answer.status === 429) {
      for (const { rule, seen, breaks } of malformed429(answer.retryAfter, answer.body))
        (breaks ? malformed : doubtful).add(1, { rule, seen, key: key.label });
    }
    return answer;
  }

  function fire(sendOne: () => Promise<Answer>): void {
    const answer = request(sendOne);
    onTheWay.add(answer);
    answer.finally(() => onTheWay.delete(answer));
  }

  async function ask(requests: number): Promise<void> {
    trial += 1;
    const tags = { trial: String(trial) };
    const asking = inPhase('ask', tags);
    // Answers of the volley before must be surely over, also by clocks that tick in whole milliseconds.
    await pause(apartMs);
    const answers = await Promise.all(Array.from({ length: requests }, () => request(asking)));
    const throttled = answers.filter(({ status }) => status === 429);
    // Of several waits the longest binds: who waits that long has waited long enough for all.
    const seconds = (text: string | undefined) => readRetryAfter(text).seconds ?? 0;
    const [last] = [...throttled].sort((x, y) => seconds(y.retryAfter) - seconds(x.retryAfter));
    if (last === undefined) return;
    retryAfter.add(1, { ...tags, key: key.label, text: last.retryAfter ?? '' });
    const wait = seconds(last.retryAfter);
    if (wait > longestWaitSeconds) return;
    const taken = requests - throttled.length;
    await pause((wait + taken / key.limit.perSecond) * 1000 + apartMs);
    await request(inPhase('retry', tags));
  }

  for (const phase of phases) {
    switch (phase.kind) {
      case 'steady': {
        const sendPaced = inPhase('steady');
        await steadily(phase, tooLateMs(key.limit), () => fire(sendPaced));
        break;
      }
      case 'volleys':
        await inVolleys(key, phase.volleys, () => fire(inPhase('volley')));
        await Promise.all(onTheWay);
        break;
      case 'idle':
        await pause(phase.seconds * 1000);
        break;
      case 'ask':
        await ask(phase.requests);
    }
  }
  await Promise.all(onTheWay);
}

/** Calls at the times of an even schedule; what is later than `latestMs` is counted, not caught up with. */
async function steadily(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  latestMs: number,
  call: () => void,
): Promise<void> {
  const start = Date.now();
  const calls = Math.round(perSecond * seconds);
  for (let i = 0; i < calls; i += 1) {
    const due = start + (i * 1000) / perSecond;
    await pause(due - Date.now());
    const late = Date.now() - due;
    if (late > noticeableMs) lateness.add(late);
    if (late > latestMs) dropped.add(1);
    else call();
  }
  await pause(start + seconds * 1000 - Date.now());
}

/** Calls as often as each volley says, at its time. Connections are opened before. */
async function inVolleys(key: DrivenKey, volleys: readonly Volley[], call: () => void): Promise<void> {
  await openConnections(key, warmingOf(volleys));
  const start = Date.now();
  for (const { at, requests } of volleys) {
    await pause(start + at * 1000 - Date.now());
    for (let i = 0; i < requests; i += 1) call();
  }
}

/** Requests without a key take nothing from any bucket, and leave their connections open behind them. */
async function openConnections(key: DrivenKey, connections: number): Promise<void> {
  const { rule, ...tags } = key.tags;
  const opening = Array.from({ length: connections }, () =>
    send({ method: key.method, url: key.url, headers: {}, tags: { ...tags, phase: 'warm' } }),
  );
  await Promise.all(opening);
}
