import { readRetryAfter } from '../../../spec/limiter/retry-after.ts';
import type { Breach } from '../../laws/judging/law.ts';
import { attemptsIn, isFailure, isSame, isToApi, knew, type SentRequest, type Traffic } from '../traffic.ts';
import type { Duty } from './duty.ts';

/** Milliseconds by which timers and clocks may differ. */
const tolerance = 20;

/** The first request with the same key that came before Retry-After had passed, where the client can have known better. */
function tooEarly(throttled: SentRequest, { requests }: Traffic): SentRequest | undefined {
  const { seconds } = readRetryAfter(throttled.headers['retry-after']);
  if (seconds === undefined) return undefined;
  const connections = new Set<number>();
  for (const request of requests) {
    if (request.doneAt <= throttled.doneAt && request.connection !== null) connections.add(request.connection);
  }
  return requests.find(
    (request) =>
      isToApi(request) &&
      request.key === throttled.key &&
      request.sentAt < throttled.doneAt + seconds * 1000 - tolerance &&
      knew(request, throttled, connections),
  );
}

const waitsRetryAfter: Duty = {
  rule: 'client/waits-retry-after',
  title: 'after a 429 nothing is sent with that key until Retry-After has passed',
  advice: 'Read Retry-After as seconds and wait for it before the next request with that key, whatever it is about.',
  judge(all) {
    const breaches: Breach[] = [];
    let applied = 0;
    for (const traffic of all) {
      for (const throttled of traffic.requests) {
        if (throttled.status !== 429 || !isToApi(throttled)) continue;
        applied++;
        const early = tooEarly(throttled, traffic);
        if (early === undefined) continue;
        const waited = Math.round(early.sentAt - throttled.doneAt);
        const asked = throttled.headers['retry-after'];
        breaches.push({
          exchange: early,
          expected: `a wait of ${asked} s`,
          observed: `${waited} ms`,
          with: [throttled],
        });
      }
    }
    return { applied, breaches };
  },
};

/** The time between two attempts, where nothing but the client's own back-off decided on it. */
interface Pause {
  /** 0 after the first attempt. */
  readonly attempt: number;
  readonly milliseconds: number;
  readonly before: SentRequest;
  readonly after: SentRequest;
}

function pausesIn(traffic: Traffic): Pause[] {
  return attemptsIn(traffic).flatMap((attempts) =>
    attempts.slice(1).flatMap((after, attempt): Pause[] => {
      const before = attempts[attempt] as SentRequest;
      if (before.status !== 429 && before.status !== 503) return [];
      // What it was told to wait is not its own.
      if (before.headers['retry-after'] !== undefined) return [];
      return [{ attempt, milliseconds: after.sentAt - before.doneAt, before, after }];
    }),
  );
}

/** The number below which a share of them lies. */
const quantile = (share: number, numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0;
const median = (numbers: readonly number[]) => quantile(0.5, numbers);

/** Milliseconds that a client takes from a reply to its next request where it has no reason to wait. */
function usualGaps(all: readonly Traffic[]): readonly number[] {
  return all.flatMap(({ requests }) =>
    requests.slice(1).flatMap((request, index) => {
      const before = requests[index] as SentRequest;
      return isFailure(before) || request.sentAt < before.doneAt ? [] : [request.sentAt - before.doneAt];
    }),
  );
}

/** What is wrong with pauses as a whole; undefined where nothing is, or where there are too few to tell. */
function wrongWith(
  pauses: readonly Pause[],
  gaps: readonly number[],
): { readonly expected: string; readonly observed: string } | undefined {
  const lengths = pauses.map(({ milliseconds }) => milliseconds);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const range = `${Math.round(least)} to ${Math.round(most)} ms`;
  // On a machine that is busy everything takes longer: who has not waited sends as soon as where it has nothing else to do.
  const noPause = Math.max(30, Math.min(100, 1.5 * quantile(0.25, gaps) + 10));
  if (pauses.length >= 3 && median(lengths) < noPause) return { expected: 'pauses', observed: `pauses of ${range}` };
  const again = pauses.some(({ attempt }) => attempt > 0);
  // Load makes some of them longer, so the longest do not count.
  if (pauses.length >= 4 && again && quantile(0.75, lengths) < least * 1.5) {
    return { expected: 'pauses that grow', observed: `always about the same, ${range}` };
  }
  const byAttempt = [...Map.groupBy(pauses, ({ attempt }) => attempt).values()].map((those) =>
    those.map(({ milliseconds }) => milliseconds),
  );
  const comparable = byAttempt.reduce((sum, those) => sum + those.length - 1, 0);
  // What the machine adds is not the client's own, as far as that is little beside the pause.
  const noise = median(gaps) - Math.min(...gaps);
  const alike = byAttempt.every((those) => {
    const shortest = Math.min(...those);
    return median(those) - shortest < Math.max(8, Math.min(noise, 0.08 * shortest)) + 0.02 * shortest;
  });
  if (comparable >= 6 && alike) {
    const shown = byAttempt.map((those) => `${Math.round(median(those))} ms`).join(', ');
    return { expected: 'pauses with a random part', observed: `the same pauses each time: ${shown}` };
  }
  return undefined;
}

const backsOff: Duty = {
  rule: 'service/clients-back-off',
  title: 'pauses after 429 and 503 grow, and are not the same each time',
  advice: 'Wait base * 2^attempt, and some random share of it, between attempts; clients in step come back together.',
  judge(all) {
    const pauses = all.flatMap(pausesIn);
    const wrong = wrongWith(pauses, usualGaps(all));
    const shown = pauses.find(({ attempt }) => attempt > 0) ?? pauses[0];
    if (wrong === undefined || shown === undefined) return { applied: pauses.length, breaches: [] };
    return { applied: pauses.length, breaches: [{ exchange: shown.after, ...wrong, with: [shown.before] }] };
  },
};

/** More attempts than this at one request are no attempts any more. */
const maxAttempts = 12;

const endsRetrying: Duty = {
  rule: 'client/ends-retrying',
  title: `nothing is sent more than ${maxAttempts} times in vain`,
  advice: 'Give up after some attempts, and say what could not be done.',
  judge(all) {
    const series = all.flatMap(attemptsIn).filter(([first]) => first !== undefined && isFailure(first));
    const endless = series.filter(({ length }) => length > maxAttempts);
    return {
      applied: series.length,
      breaches: endless.map((attempts) => ({
        exchange: attempts[maxAttempts] as SentRequest,
        expected: 'an end of attempts',
        observed: `${attempts.length} attempts`,
        with: [attempts[0] as SentRequest],
      })),
    };
  },
};

const noNeedlessRetry: Duty = {
  rule: 'client/no-needless-retry',
  title: 'what was refused is not sent again as it was',
  advice: 'Try again after 429, 503 and lost replies alone: another 4xx stays what it is.',
  judge(all) {
    const isRefusal = ({ status }: SentRequest) =>
      status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    const refusals = all.flatMap(({ requests }) =>
      requests.filter(isRefusal).map((request) => [request, requests[requests.indexOf(request) + 1]] as const),
    );
    const breaches = refusals.flatMap(([refused, next]): Breach[] =>
      next !== undefined && isSame(next, refused)
        ? [
            {
              exchange: next,
              expected: `an end after ${refused.status}`,
              observed: 'the same request again',
              with: [refused],
            },
          ]
        : [],
    );
    return { applied: refusals.length, breaches };
  },
};

/** What a client does when it is told to come back later, or not at all. */
export const waitingDuties: readonly Duty[] = [waitsRetryAfter, backsOff, noNeedlessRetry, endsRetrying];
