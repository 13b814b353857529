/** A reply, and the time that its server gave it; all in ms since the epoch. */
export interface DatedReply {
  readonly sentAt: number;
  readonly doneAt: number;
  /** The header `Date`: whole seconds of the server's clock. */
  readonly date: number;
}

/** How far a machine's clock is ahead of the server's: `aheadMs`, give or take `withinMs`. */
export interface ClockOffset {
  readonly aheadMs: number;
  readonly withinMs: number;
}

/** The server's clock minus `Date`, in ms: whole seconds, that a gateway may keep for half a second (Envoy), on replicas that are not quite alike. */
const [earliest, latest] = [-100, 1600];
/** A clock that is being set right runs this much too fast or too slow at most (NTP). */
const drift = 0.0005;

/**
 * What the dates of replies say about the clock of the machine that received them. The server stamped a reply between `sentAt` and
 * `doneAt`, so each bounds the offset from both sides, and replies around a change of the second bound it closely. Where no offset
 * fits all replies, because a clock was set during the run, the bounds hold all offsets that there were.
 */
export function clockOffset(replies: readonly DatedReply[]): ClockOffset | undefined {
  if (replies.length === 0) return undefined;
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { sentAt, doneAt } of replies) [begin, end] = [Math.min(begin, sentAt), Math.max(end, doneAt)];
  const middle = (begin + end) / 2;
  // From the middle of the run, the bounds of the sharpest replies and of all.
  let [low, high, lowest, highest] = [-Infinity, Infinity, Infinity, -Infinity];
  for (const { sentAt, doneAt, date } of replies) {
    const [least, most] = [sentAt - date - latest, doneAt - date - earliest];
    const drifted = drift * Math.max(middle - sentAt, doneAt - middle);
    [low, high] = [Math.max(low, least - drifted), Math.min(high, most + drifted)];
    [lowest, highest] = [Math.min(lowest, least), Math.max(highest, most)];
  }
  if (low > high) [low, high] = [lowest, highest];
  return { aheadMs: (low + high) / 2, withinMs: (high - low) / 2 + (drift * (end - begin)) / 2 };
}
