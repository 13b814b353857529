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

it('shortens the line to the width of the terminal', () => {
  const lines = written(true, 45).split('\r\u001b[2K');
  expect(lines).toContain('1 of 3 scripts, 10 s, about 20 s left: uplo…');
  expect(Math.max(...lines.map(({ length }) => length))).toBe(44);
});

it('says no time that is left once something surprises, since nobody knows how often it is tried again', () => {
  let text = '';
  const stream = { isTTY: true, columns: 100, write: (part: string) => (text += part) };
  using progress = showProgress('scripts', stream, plain);
  vi.advanceTimersByTime(10_000);
  for (const [exchange, expected] of [
    [{}, 'about 10 s left'],
    [{ trial: { id: 1 } }, 'some replies surprise and are tried again'],
  ] as const) {
    progress.onExchange(exchange);
    progress.onDone(label, 1, 2);
    expect(text.split('\r').at(-1)).toContain(expected);
  }
});
