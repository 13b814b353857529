import { type Paint, paintFor } from '../../conformance/reports/console.ts';
import type { LockHolder } from '../../spec/lock-file.ts';

/** The part of a stream that progress uses. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

const eraseLine = '\r\u001b[2K';

/**
 * Shows the progress of a run. On a terminal, one line that is rewritten. Elsewhere, a line for every tenth of the run.
 * @param steps the name of the steps, scripts or runs of a command, in messages
 */
export function showProgress(
  steps: string,
  stream: Terminal = process.stderr,
  paint: Paint = paintFor(process.stderr),
) {
  const running = new Set<string>();
  let [done, all, shown] = [0, 0, 0];
  /** Prints a separate line. */
  const say = (text: string): void => void stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);
  /** @param more what a terminal shows besides */
  const show = (doneNow: number, allNow: number, more: string = [...running].join(', ')) => {
    [done, all] = [doneNow, allNow];
    const tenths = Math.floor((done / all) * 10);
    const text = `${done}/${all}  ${paint('dim', more)}`;
    if (stream.isTTY) stream.write(`${eraseLine}${text.slice(0, Math.max(20, stream.columns - 1))}`);
    else if (tenths > shown) say(`${done} of ${all} ${steps}`);
    if (tenths > shown) shown = tenths;
  };
  /** Erases the progress line. */
  const end = () => void (stream.isTTY && stream.write(eraseLine));
  return {
    say,
    show,
    onStart({ id }: { readonly id: string }) {
      running.add(id);
      show(done, all);
    },
    onDone({ id }: { readonly id: string }, doneNow: number, allNow: number) {
      running.delete(id);
      show(doneNow, allNow);
    },
    end,
    [Symbol.dispose]: end,
  };
}

/** Why a run waits. */
export const anotherRun = ({ pid, host, since }: LockHolder): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;
