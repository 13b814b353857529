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

it('says on a terminal how far it is, how long it takes, and what it does, and leaves nothing behind', () => {
  const lines = written(true, 100).split('\r\u001b[2K');
  expect(lines).toContain('9 s: uploads are started');
  expect(lines).toContain('1 of 3 scripts, 10 s: uploads are started');
  // While a script takes long, the time goes on.
  expect(lines).toContain('1 of 3 scripts, 15 s: uploads are started');
  expect(lines).toContain('Interrupted.\n');
  expect(lines.slice(-2)).toEqual(['3 of 3 scripts, 20 s', '']);
});

it('cuts what it does where the line has no room for it', () => {
  const lines = written(true, 35).split('\r\u001b[2K');
  expect(lines).toContain('1 of 3 scripts, 10 s: uploads are…');
  expect(Math.max(...lines.map(({ length }) => length))).toBe(34);
});

it('says of how much it is, also when more is decided, and which round of a trial it makes', () => {
  let text = '';
  const stream = { isTTY: true, columns: 80, write: (part: string) => (text += part) };
  using progress = showProgress('scripts', stream, plain);
  const shown = () => text.split('\u001b[2K').at(-1);
  progress.onExpected(20_000);
  progress.onStart(upload, 0, 2);
  vi.advanceTimersByTime(15_000);
  expect(shown()).toBe(`0 of 2 scripts, 15 s of about 20 s: ${upload.title}`);
  // It goes on beside the first.
  progress.onExpected(10_000);
  progress.onStart(label, 0, 3);
  progress.onExchange({
    trial: { id: 1, arm: 'script', round: 9, rule: 'labels/apply-adds', sign: '' },
    script: label.id,
  });
  vi.advanceTimersByTime(5_000);
  expect(shown()).toBe('0 of 3 scripts, 20 s of about 25 s: retrying, round 9 of at most 24: a label i…');
  vi.advanceTimersByTime(6_000);
  expect(shown()).toContain('0 of 3 scripts, 26 s (planned: 25 s): retrying');
  progress.onExchange({ script: label.id });
  progress.onDone(upload, 2, 3);
  expect(shown()).toBe(`2 of 3 scripts, 26 s (planned: 25 s): ${label.title}`);
});
