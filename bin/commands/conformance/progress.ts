import type { Check } from '../../../conformance/check.ts';
import type { CheckResult } from '../../../conformance/outcome.ts';
import { outcomeWord, type Paint } from '../../../conformance/reports/console.ts';
import { durationInWords } from '../../../conformance/reports/duration-in-words.ts';

/** Tells how a run goes on. */
export interface Progress {
  onStart(check: Check): void;
  onResult(result: CheckResult, done: number, all: number): void;
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

/** On a terminal one line that is rewritten, with failures above it; anywhere else a line per check. */
export function progressOn(stream: Terminal, paint: Paint): Progress {
  const running = new Set<string>();
  let bad = 0;
  const line = ({ id, outcome, duration }: CheckResult) =>
    `${outcomeWord(outcome, paint)} ${id} ${paint('dim', durationInWords(duration))}\n`;
  const say = (text: string) => stream.write(`${stream.isTTY ? eraseLine : ''}${text}\n`);

  if (!stream.isTTY) {
    return {
      onStart() {},
      onResult(result) {
        // What never started is no progress; the summary names it by what it lacks.
        if (result.outcome !== 'not-selected' && result.outcome !== 'not-run') stream.write(line(result));
      },
      say,
      end() {},
    };
  }
  const status = (done: number, all: number) => {
    const text = `${done}/${all}${bad > 0 ? `, ${bad} to look at` : ''}  ${[...running].join(', ')}`;
    stream.write(`${eraseLine}${text.slice(0, Math.max(20, stream.columns - 1))}`);
  };
  let counts: readonly [number, number] = [0, 0];
  return {
    onStart({ id }) {
      running.add(id);
      status(...counts);
    },
    onResult(result, done, all) {
      running.delete(result.id);
      counts = [done, all];
      if (['fail', 'warn', 'inconclusive', 'error'].includes(result.outcome)) {
        bad++;
        stream.write(`${eraseLine}${line(result)}`);
      }
      status(done, all);
    },
    say,
    end: () => stream.write(eraseLine),
  };
}
