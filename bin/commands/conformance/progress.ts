import type { Paint } from '../../../conformance/reports/console.ts';

/** A step that is running: a script, or a run of a command. */
interface Step {
  readonly id: string;
}

/** Shows the progress of a run. */
interface Progress {
  onStart(step: Step): void;
  onDone(step: Step, done: number, all: number): void;
  /** Prints a separate line. */
  say(line: string): void;
  /** Erases the progress line. */
  end(): void;
}

/** The part of a stream that progress uses. */
interface Terminal {
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): unknown;
}

const eraseLine = '\r\u001b[2K';

/**
 * On a terminal, one line that is rewritten. Elsewhere, a line for every tenth of the run.
 * @param steps the name of the steps in messages
 */
export function progressOn(stream: Terminal, paint: Paint, steps = 'scripts'): Progress {
  const running = new Set<string>();
  const say = (text: string) => stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);
  if (!stream.isTTY) {
    let shown = 0;
    return {
      onStart() {},
      onDone(_, done, all) {
        const tenths = Math.floor((done / all) * 10);
        if (tenths > shown) say(`${done} of ${all} ${steps}`);
        shown = Math.max(shown, tenths);
      },
      say,
      end() {},
    };
  }
  let counts: readonly [number, number] = [0, 0];
  const status = () => {
    const [done, all] = counts;
    const text = `${done}/${all}  ${paint('dim', [...running].join(', '))}`;
    stream.write(`${eraseLine}${text.slice(0, Math.max(20, stream.columns - 1))}`);
  };
  return {
    onStart({ id }) {
      running.add(id);
      status();
    },
    onDone({ id }, done, all) {
      running.delete(id);
      counts = [done, all];
      status();
    },
    say,
    end: () => stream.write(eraseLine),
  };
}
