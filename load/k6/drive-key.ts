import type { Limit } from '../../spec/limiter/limit.ts';
import type { Phase, Volley } from '../../spec/limiter/measurement.ts';
import { malformed429, readRetryAfter } from '../../spec/limiter/throttled-reply.ts';
import type { RunKey } from '../run-file.ts';
import { dropped, malformed, pause, retryAfter } from './run.ts';
import { type Answer, send } from './send.ts';

/**
 * A request that would leave later than this is dropped, because the plan is no longer kept. While a full bucket forgives
 * requests that are sent at once afterwards, a machine that stood still for a moment has lost nothing.
 */
const tooLateMs = ({ perSecond, burst }: Limit): number =>
  Math.min(5000, Math.max(1000, ((burst - 1) / perSecond) * 1000));
const apartMs = 20;
/** A longer Retry-After is not tried. A long wait is no fault. */
const longestWaitSeconds = 120;

type SendOne = () => Promise<Answer>;

/** Goes through the phases, in real time. Resolves when every answer is there. */
export async function driveKey({ label, secret, limit, probes }: RunKey, phases: readonly Phase[]): Promise<void> {
  const onTheWay = new Set<Promise<unknown>>();
  let trial = 0;

  /** What sends the next request of a phase; bodies of some are read, because each of hundreds at once may be large. */
  function inPhase(phase: string, { alike = false, readEvery = 8, trial = '' } = {}): SendOne {
    const tags = { key: label, phase, ...(trial !== '' && { trial }) };
    const requests = alike ? probes.slice(0, 1) : probes;
    let count = 0;
    return () => {
      const request = requests[count % requests.length];
      if (request === undefined) throw new Error('a key without probes');
      return send({ request, secret, tags, reads: count++ % readEvery === 0 });
    };
  }

  async function request(sendOne: SendOne): Promise<Answer> {
    const answer = await sendOne();
    if (answer.status === 429) {
      for (const { rule, seen, breaks } of malformed429(answer.retryAfter, answer.body))
        if (breaks) malformed.add(1, { rule, seen, key: label });
    }
    return answer;
  }

  function fire(sendOne: SendOne): void {
    const answer = request(sendOne);
    onTheWay.add(answer);
    answer.finally(() => onTheWay.delete(answer));
  }

  async function ask(requests: number): Promise<void> {
    const options = { trial: String(++trial), readEvery: 1, alike: true };
    const asking = inPhase('ask', options);
    // Answers of the volley before must be surely over, also by clocks that tick in whole milliseconds.
    await pause(apartMs);
    const answers = await Promise.all(Array.from({ length: requests }, () => request(asking)));
    const throttled = answers.filter(({ status }) => status === 429);
    // Of several waits the longest counts: it is long enough for all of them.
    const seconds = (text: string | undefined) => readRetryAfter(text).seconds ?? 0;
    const [last] = [...throttled].sort((x, y) => seconds(y.retryAfter) - seconds(x.retryAfter));
    if (last === undefined) return;
    retryAfter.add(1, { trial: options.trial, key: label, text: last.retryAfter ?? '' });
    const wait = seconds(last.retryAfter);
    if (wait > longestWaitSeconds) return;
    const taken = requests - throttled.length;
    await pause((wait + taken / limit.perSecond) * 1000 + apartMs);
    await request(inPhase('retry', options));
  }

  for (const phase of phases) {
    switch (phase.kind) {
      case 'steady': {
        const sendPaced = inPhase('steady');
        await steadily(phase, tooLateMs(limit), () => fire(sendPaced));
        break;
      }
      case 'volleys':
        await inVolleys(phase.volleys, (alike) => {
          const sendOne = inPhase('volley', { alike });
          return () => fire(sendOne);
        });
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
    if (late > latestMs) dropped.add(1);
    else call();
  }
  await pause(start + seconds * 1000 - Date.now());
}

/** Calls as often as each volley says, at its time. */
async function inVolleys(volleys: readonly Volley[], callsOf: (alike: boolean) => () => void): Promise<void> {
  const [mixed, alike] = [callsOf(false), callsOf(true)];
  const start = Date.now();
  for (const volley of volleys) {
    await pause(start + volley.at * 1000 - Date.now());
    for (let i = 0; i < volley.requests; i += 1) (volley.alike ? alike : mixed)();
  }
}
