import type { Exchange } from '../../conformance/index.ts';
import { firstRounds, maxRounds } from '../../conformance/numbers.ts';
import { type Paint, paintFor } from '../../conformance/reports/console.ts';
import type { LockHolder } from '../../spec/lock-file.ts';
import { durationInWords } from '../../spec/text/time-in-words.ts';

/** The part of a stream that progress uses. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

const eraseLine = '\r\u001b[2K';

/**
 * Shows the progress of a run. On a terminal, one line that is rewritten: how far, since when, about how long still, and what runs
 * the longest. Elsewhere, a line for every tenth of the run.
 * @param steps the name of the steps, scripts or runs of a command, in messages
 */
export function showProgress(
  steps: string,
  stream: Terminal = process.stderr,
  paint: Paint = paintFor(process.stderr),
) {
  const begun = Date.now();
  const running = new Map<string, string>();
  /** When each trial began, and how far it is. */
  const trials = new Map<number, { since: number; round: number }>();
  let [done, all, shown, what, again] = [0, 0, 0, '', ''];
  /** When it ends by what is known of it, and by the pace so far. */
  let [planned, guess] = [0, 0];
  /** How long what was decided last takes, and how much was done before it. */
  let last = { milliseconds: 0, from: 0 };
  /** Prints a separate line. */
  const say = (text: string): void => void stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);
  const atPace = () => Date.now() + ((Date.now() - begun) / done) * (all - done);
  const draw = () => {
    const seconds = (milliseconds: number) => durationInWords(1000 * Math.ceil(milliseconds / 1000));
    const now = Date.now();
    // What takes longer goes on at the pace so far.
    if (Math.max(planned, guess) <= now) guess = atPace();
    const left = (planned > now ? planned : guess) - now;
    // Without a plan, the first steps say little of the others.
    const isKnown = left > 0 && done < all && (planned > 0 || done > all / 4) && left < Number.POSITIVE_INFINITY;
    const [count, time, rest] = [
      all > 0 ? [`${done} of ${all} ${steps}`] : [],
      now > begun ? [seconds(now - begun)] : [],
      isKnown ? [`about ${seconds(left)} left`] : [],
    ];
    const most = Math.max(20, (stream.columns || 80) - 1);
    const fits = (head: string) => head.length + 2 + what.length <= most;
    const whole = [...count, ...time, ...rest].join(', ');
    // The time so far says the least.
    const head = (fits(whole) ? whole : [...count, ...rest].join(', ')).slice(0, most);
    const line = `${head}${what && `: ${what}`}`;
    const cut = line.length > most ? `${line.slice(0, most - 1)}…` : line;
    stream.write(`${eraseLine}${head}${paint('dim', cut.slice(head.length))}`);
  };
  // A step may take a minute.
  const timer = stream.isTTY ? setInterval(draw, 1_000).unref() : undefined;
  /** What is tried again, or else runs the longest. */
  const current = () => {
    const retried = running.get(again);
    return retried === undefined ? ([...running.values()][0] ?? '') : `retrying ${retried}`;
  };
  /** @param more what a terminal shows besides */
  const show = (doneNow: number, allNow: number, more = current()) => {
    const isFurther = doneNow > done;
    [done, all, what] = [doneNow, allNow, more];
    if (isFurther) guess = atPace();
    const tenths = Math.floor((done / all) * 10);
    if (stream.isTTY) draw();
    else if (tenths > shown) say(`${done} of ${all} ${steps}`);
    shown = Math.max(shown, tenths || 0);
  };
  /** Erases the progress line. */
  const end = () => {
    clearInterval(timer);
    if (stream.isTTY) stream.write(eraseLine);
  };
  return {
    say,
    show,
    onStart({ id, title }: { readonly id: string; readonly title: string }, doneNow = done, allNow = all) {
      running.set(id, title);
      show(doneNow, allNow);
    },
    onDone({ id }: { readonly id: string }, doneNow: number, allNow: number) {
      running.delete(id);
      // What is tried again runs alone: however long the others took, what is left takes its share.
      const share = (allNow - doneNow) / (allNow - last.from);
      if (last.from > 0) planned = Math.max(planned, Date.now() + share * last.milliseconds);
      show(doneNow, allNow);
    },
    onExpected(milliseconds: number) {
      planned = Math.max(planned, Date.now()) + milliseconds;
      last = { milliseconds, from: done };
    },
    /** The rounds of a trial are known, and each takes about as long as those before it. */
    onExchange({ trial, script }: Pick<Exchange, 'trial' | 'script'>) {
      if (trial !== undefined) again = script;
      else if (again === script) again = '';
      what = current();
      if (trial === undefined) return;
      const now = Date.now();
      const { since, round } = trials.get(trial.id) ?? { since: now, round: 1 };
      trials.set(trial.id, { since, round: trial.round });
      if (trial.round === round) return;
      const more = (trial.round > firstRounds ? maxRounds : firstRounds) - trial.round + 1;
      planned = Math.max(planned, now + ((now - since) / (trial.round - 1)) * more);
    },
    end,
    [Symbol.dispose]: end,
  };
}

/** Why a run waits. */
export const anotherRun = ({ pid, host, since }: LockHolder): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;
