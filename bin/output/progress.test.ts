import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { plain } from '../../conformance/reports/console.ts';
import { showProgress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const label = { id: 'labels/life', title: 'a label is put on and taken off again' };
const upload = { id: 'uploads/start', title: 'uploads are started' };

/** What a run of three scripts, of ten seconds each, writes to a stream. */
function written(isTTY: boolean, columns: number): string {
  let text = '';
  const stream = { isTTY, columns, write: (part: string) => (text += part) };
  const progress = showProgress('scripts', stream, plain);
  for (const one of [label, upload]) progress.onStart(one);
  vi.advanceTimersByTime(10_000);
  progress.onDone(label, 1, 3);
  progress.say('Interrupted.');
  vi.advanceTimersByTime(10_000);
  progress.onDone(upload, 3, 3);
  progress.end();
  vi.advanceTimersByTime(10_000);
  return text;
}

it('writes a plain line now and then when the output is no terminal', () => {
  expect(written(false, 80)).toBe('1 of 3 scripts\nInterrupted.\n3 of 3 scripts\n');
});

it('says on a terminal how far it is, about how long still, and what it does, and leaves nothing behind', () => {
  const lines = written(true, 100).split('\r\u001b[2K');
  expect(lines).toContain('9 s: a label is put on and taken off again');
  expect(lines).toContain('1 of 3 scripts, 10 s, about 20 s left: uploads are started');
  // While a script takes long, the time goes on.
  expect(lines).toContain('1 of 3 scripts, 15 s, about 15 s left: uploads are started');
  expect(lines).toContain('Interrupted.\n');
  expect(lines.slice(-2)).toEqual(['3 of 3 scripts, 20 s', '']);
});

it('leaves out the time so far where the line has no room for it, and then shortens it', () => {
  const lines = written(true, 45).split('\r\u001b[2K');
  expect(lines).toContain('1 of 3 scripts, about 20 s left: uploads ar…');
  expect(written(true, 55)).toContain('\u001b[2K1 of 3 scripts, about 20 s left: uploads are started\r');
  expect(Math.max(...lines.map(({ length }) => length))).toBe(44);
});

it('says how long is left of what is expected, also when more is decided, and of the rounds of a trial', () => {
  let text = '';
  const stream = { isTTY: true, columns: 80, write: (part: string) => (text += part) };
  using progress = showProgress('scripts', stream, plain);
  const shown = () => text.split('\u001b[2K').at(-1);
  progress.onExpected(20_000);
  progress.onStart({ id: 'keys', title: 'keys' }, 0, 2);
  expect(shown()).toBe('0 of 2 scripts, about 20 s left: keys');
  vi.advanceTimersByTime(15_000);
  expect(shown()).toBe('0 of 2 scripts, 15 s, about 5 s left: keys');
  progress.onExpected(10_000);
  progress.onStart(label, 0, 3);
  for (const round of [1, 2]) {
    progress.onExchange({
      trial: { id: 1, arm: 'script', round, rule: 'labels/apply-adds', sign: '' },
      script: 'keys',
    });
    vi.advanceTimersByTime(10_000);
  }
  // The first of eight rounds took 10 s, and the second has.
  expect(shown()).toBe('0 of 3 scripts, 35 s, about 1 min left: retrying keys');
  progress.onExchange({ script: 'keys' });
  vi.advanceTimersByTime(1_000);
  expect(shown()).toBe('0 of 3 scripts, 36 s, about 59 s left: keys');
  progress.onDone({ id: 'keys' }, 2, 3);
  vi.advanceTimersByTime(84_000);
  // It took longer: one of three scripts is left, at the pace so far.
  expect(shown()).toBe(`2 of 3 scripts, 2 min, about 23 s left: ${label.title}`);
  progress.onDone(label, 3, 3);
  progress.onExpected(40_000);
  for (const id of ['again/1', 'again/2']) progress.onStart({ id, title: id }, 3, 5);
  vi.advanceTimersByTime(39_000);
  expect(shown()).toContain('about 1 s left: again/1');
  // The other one takes its half.
  progress.onDone({ id: 'again/1' }, 4, 5);
  expect(shown()).toContain('about 20 s left: again/2');
  progress.onDone({ id: 'again/2' }, 5, 5);
  expect(shown()).toBe('5 of 5 scripts, 2 min 39 s');
});
