import type { Paint } from '../../../../conformance/reports/console.ts';

/** What is under way: a situation, a run of a command. */
interface Step {
  readonly id: string;
}

/** Tells how a run goes on. */
interface Progress {
  onStart(step: Step): void;
  onDone(step: Step, done: number, all: number): void;
  /** A line of its own, in between. */
  say(line: string): void;
  /** Leaves nothing behind that what follows would have to overwrite. */
  end(): void;
}

/** What progress looks at of a stream. */
interface Terminal {
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): unknown;
}

const eraseLine = '\r\u001b[2K';

/**
 * On a terminal one line that is rewritten; anywhere else a line per tenth of the run.
 * @param steps what they are called
 */
export function progressOn(stream: Terminal, paint: Paint, steps = 'situations'): Progress {
  const running = new Set<string>();
  const say = (text: string) => stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);
  if (!stream.isTTY) {
    let told = 0;
    return {
      onStart() {},
      onDone(_, done, all) {
        const tenths = Math.floor((done / all) * 10);
        if (tenths > told) say(`${done} of ${all} ${steps}`);
        told = Math.max(told, tenths);
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
