import type { Exchange } from '../../conformance/index.ts';
import { maxRounds } from '../../conformance/numbers.ts';
import { type Paint, paintFor } from '../../conformance/reports/console.ts';
import type { LockHolder } from '../../spec/lock-file.ts';
import { durationInWords } from '../../spec/text/time-in-words.ts';

/** The part of a stream that progress uses. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

const eraseLine = '\r\u001b[2K';

/**
 * Shows the progress of a run. On a terminal, one line that is rewritten: how far, how long, of how much if that is planned, and what
 * began last or is tried again. Elsewhere, a line for every tenth of the run.
 * @param steps the name of the steps, scripts or runs of a command, in messages
 */
export function showProgress(
  steps: string,
  stream: Terminal = process.stderr,
  paint: Paint = paintFor(process.stderr),
) {
  const begun = Date.now();
  const running = new Map<string, string>();
  let [done, all, shown, what, planned] = [0, 0, 0, '', 0];
  /** Prints a separate line. */
  const say = (text: string): void => void stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);
  const elapsed = () => Date.now() - begun;
  const draw = () => {
    const [time, whole] = [elapsed(), planned].map((milliseconds) =>
      durationInWords(1000 * Math.ceil(milliseconds / 1000)),
    );
    // Retries are not planned: how often they are needed is known at their end.
    const ofWhole = planned === 0 ? '' : elapsed() <= planned ? ` of about ${whole}` : ` (planned: ${whole})`;
    const head = `${all > 0 ? `${done} of ${all} ${steps}, ` : ''}${time}${ofWhole}`;
    const line = `${head}${what && `: ${what}`}`;
    const most = Math.max(20, (stream.columns || 80) - 1);
    const cut = line.length > most ? `${line.slice(0, most - 1)}…` : line;
    stream.write(`${eraseLine}${cut.slice(0, head.length)}${paint('dim', cut.slice(head.length))}`);
  };
  // A step may take a minute.
  const timer = stream.isTTY ? setInterval(draw, 1_000).unref() : undefined;
  const newest = () => [...running.values()].at(-1) ?? '';
  /** @param more what a terminal shows besides */
  const show = (doneNow: number, allNow: number, more = newest()) => {
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
    onStart({ id, title }: { readonly id: string; readonly title: string }, doneNow = done, allNow = all) {
      running.set(id, title);
      show(doneNow, allNow);
    },
    onDone({ id }: { readonly id: string }, doneNow: number, allNow: number) {
      running.delete(id);
      show(doneNow, allNow);
    },
    /** What begins now takes this long, beside what goes on already. */
    onExpected(milliseconds: number) {
      planned = Math.max(planned, elapsed() + milliseconds);
    },
    /** What is tried again runs alone. */
    onExchange({ trial, script }: Pick<Exchange, 'trial' | 'script'>) {
      const round = trial && `retrying, round ${trial.round} of at most ${maxRounds}: ${running.get(script) ?? script}`;
      what = round ?? newest();
    },
    end,
    [Symbol.dispose]: end,
  };
}

/** Why a run waits. */
export const anotherRun = ({ pid, host, since }: LockHolder): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;
