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
  let [done, all, shown, what, ends] = [0, 0, 0, '', begun];
  let isSurprised = false;
  /** Prints a separate line. */
  const say = (text: string): void => void stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);
  const draw = () => {
    const seconds = (milliseconds: number) => durationInWords(1000 * Math.ceil(milliseconds / 1000));
    const now = Date.now();
    const parts = [
      ...(all > 0 ? [`${done} of ${all} ${steps}`] : []),
      ...(now > begun ? [seconds(now - begun)] : []),
      // The first steps say little of the others, and nobody knows how often what surprises is tried again.
      ...(isSurprised
        ? ['some replies surprise and are tried again']
        : done > all / 4 && now < ends
          ? [`about ${seconds(ends - now)} left`]
          : []),
    ];
    const most = Math.max(20, stream.columns - 1);
    const head = parts.join(', ').slice(0, most);
    const rest = `${head}${what && `: ${what}`}`;
    const cut = rest.length > most ? `${rest.slice(0, most - 1)}…` : rest;
    stream.write(`${eraseLine}${head}${paint('dim', cut.slice(head.length))}`);
  };
  // A step may take a minute.
  const timer = stream.isTTY ? setInterval(draw, 1_000).unref() : undefined;
  /** @param more what a terminal shows besides */
  const show = (doneNow: number, allNow: number, more: string = [...running.values()][0] ?? '') => {
    const now = Date.now();
    if (doneNow > done) ends = now + ((now - begun) / doneNow) * (allNow - doneNow);
    [done, all, what] = [doneNow, allNow, more];
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
    onStart({ id, title }: { readonly id: string; readonly title: string }) {
      running.set(id, title);
      show(done, all);
    },
    onDone({ id }: { readonly id: string }, doneNow: number, allNow: number) {
      running.delete(id);
      show(doneNow, allNow);
    },
    onExchange({ trial }: { readonly trial?: unknown }) {
      isSurprised ||= trial !== undefined;
    },
    end,
    [Symbol.dispose]: end,
  };
}

/** Why a run waits. */
export const anotherRun = ({ pid, host, since }: LockHolder): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;
