import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { answered } from '../judging/served.ts';
import { isLax } from './blame.ts';
import { isThrottled, type KeyUse, sampleOf } from './key-use.ts';

/** Milliseconds. A slower reply is late. */
const minLate = 1_000;

/** Milliseconds in which a request of another key has to be answered, so that neither network nor server are slow. */
const prompt = minLate / 2;

/** So many other requests do not overtake by chance. */
const minOvertaking = 10;

/** The part by which the rate of late replies may differ from that of the limit. */
const maxOff = 0.05;

/** Replies that a deployment serves in the same time show what it can serve, where they are so many times as many as those of one key. */
const minCapacity = 1.4;

/** Requests of a key, sent together or faster than its rate, whose replies came late. */
interface LateReplies {
  /** In the order of their replies. */
  readonly late: readonly Exchange[];
  /** In milliseconds. */
  readonly longest: number;
  /** Replies per second, while they came. */
  readonly perSecond: number;
  /** Replies per second to requests of all keys meanwhile. */
  readonly inAll: number;
  /** The number of requests of other keys meanwhile. */
  readonly others: number;
  /** Those for the same operations that were sent later and answered promptly, long before a late one. */
  readonly overtaking: readonly Exchange[];
  /** Whether the limiter of the key is the cause: it serves the key at its rate, and other keys at the same time without a delay. */
  readonly byLimiter: boolean;
  /** Whether so many were served that no limit allows it, unless something in front of the limiter was slow. */
  readonly overLimit: boolean;
}

const took = ({ sentAt, doneAt }: Exchange) => doneAt - sentAt;

/** The late replies that say most about the limiter of the key; null where there are few. */
export function lateReplies(
  { key, limit, exchanges }: Pick<KeyUse, 'key' | 'limit' | 'exchanges'>,
  { exchanges: all }: History,
): LateReplies | null {
  const late = exchanges.filter((one) => !one.paced && succeeded(one) && took(one) > minLate);
  const found = inRows(late).flatMap((row): LateReplies[] => {
    const [first, last] = [row[0], row.at(-1)];
    if (first === undefined || last === undefined || row.length < limit.burst) return [];
    const seconds = (last.doneAt - first.doneAt) / 1000;
    const served = all.filter((one) => answered(one) && one.doneAt > first.doneAt && one.doneAt <= last.doneAt);
    const perSecond = served.filter((one) => one.key === key).length / seconds;
    const inAll = served.length / seconds;
    const others = all.filter(
      (one) => one.key !== null && one.key !== key && one.sentAt >= first.sentAt && one.sentAt < last.doneAt - minLate,
    );
    const overtaking = others.filter(
      (one) =>
        succeeded(one) &&
        took(one) < prompt &&
        row.some(
          (slow) => slow.operation === one.operation && slow.sentAt <= one.sentAt && one.doneAt < slow.doneAt - prompt,
        ),
    );
    const isAtRate = Math.abs(perSecond / limit.perSecond - 1) <= maxOff;
    // As if the limiter had decided about each within a second.
    const decided = exchanges
      .map(sampleOf)
      .map((one) => ({ ...one, doneAt: Math.min(one.doneAt, one.sentAt + minLate) }));
    return [
      {
        late: row,
        longest: row.reduce((most, one) => Math.max(most, took(one)), 0),
        perSecond,
        inAll,
        others: others.length,
        overtaking,
        byLimiter: isAtRate && overtaking.length >= minOvertaking && inAll >= minCapacity * perSecond,
        overLimit: isLax(decided, limit),
      },
    ];
  });
  const weight = ({ late: { length }, others }: LateReplies) => Math.min(length, others);
  return found.find(({ byLimiter }) => byLimiter) ?? found.sort((a, b) => weight(b) - weight(a))[0] ?? null;
}

/** What late replies say, as one sentence. Names both explanations where there are two. */
export function lateWords(
  { key, exchanges }: Pick<KeyUse, 'key' | 'exchanges'>,
  { late, longest, perSecond, inAll, others, overtaking, byLimiter }: LateReplies,
): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  const seen = `${late.length} requests of key ${key} were answered one after the other, ${perSecond.toFixed(1)} per second, the last after ${seconds(longest)}`;
  const meanwhile = `${overtaking.length} requests of other keys for the same operations were answered within ${seconds(prompt)} meanwhile`;
  if (byLimiter) return `the limiter holds requests back: ${seen}, while ${meanwhile}`;
  if (overtaking.length >= minOvertaking)
    return `${seen}, while ${meanwhile}: the limiter may hold requests back, or something in front of it may be slow for this key`;
  if (others >= minOvertaking)
    return `this deployment serves ${inAll.toFixed(1)} requests per second at most here, whoever sends them (replies took up to ${seconds(longest)}), so the limit could not be ${exchanges.some(isThrottled) ? 'measured' : 'reached'}`;
  return `${seen}, and few other keys were used meanwhile: the limiter may hold requests back, or this deployment may be slow`;
}

/** Splits replies where none came for a while. */
function inRows(replies: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const rows: Exchange[][] = [];
  for (const reply of replies.toSorted((a, b) => a.doneAt - b.doneAt)) {
    if (reply.doneAt - (rows.at(-1)?.at(-1)?.doneAt ?? Number.NEGATIVE_INFINITY) > prompt) rows.push([]);
    rows.at(-1)?.push(reply);
  }
  return rows;
}
