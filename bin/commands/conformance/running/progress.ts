import type { Paint } from '../../../../conformance/reports/console.ts';
import type { Situation } from '../../../../conformance/situations/asking/situation.ts';

/** Tells how a run goes on. */
export interface Progress {
  onStart(situation: Situation): void;
  onDone(situation: Situation, done: number, all: number): void;
  /** A line of its own, in between. */
  say(line: string): void;
  /** Leaves nothing behind that what follows would have to overwrite. */
  end(): void;
}

/** What progress looks at of a stream. */
export interface Terminal {
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): unknown;
}

const eraseLine = '\r\u001b[2K';

/** On a terminal one line that is rewritten; anywhere else a line per tenth of the run. */
export function progressOn(stream: Terminal, paint: Paint): Progress {
  const running = new Set<string>();
  const say = (text: string) => stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);
  if (!stream.isTTY) {
    let told = 0;
    return {
      onStart() {},
      onDone(_, done, all) {
        const tenths = Math.floor((done / all) * 10);
        if (tenths > told) say(`${done} of ${all} situations`);
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
