import { expect, it } from 'vitest';
import { plain } from '../../conformance/reports/console.ts';
import type { Script } from '../../conformance/scripts/script.ts';
import { showProgress } from './progress.ts';

const script = (id: string): Script => ({ id, title: id, tries: [], uses: [], run: async () => {} });

/** What a run of three scripts writes to a stream. */
function written(isTTY: boolean, columns: number): string {
  let text = '';
  const stream = { isTTY, columns, write: (part: string) => (text += part) };
  const progress = showProgress('scripts', stream, plain);
  for (const id of ['labels/life', 'uploads/start']) progress.onStart(script(id));
  progress.onDone(script('labels/life'), 1, 3);
  progress.say('Interrupted.');
  progress.onDone(script('uploads/start'), 3, 3);
  progress.end();
  return text;
}

it('writes a plain line now and then when the output is no terminal', () => {
  expect(written(false, 80)).toBe('1 of 3 scripts\nInterrupted.\n3 of 3 scripts\n');
});

it('rewrites one line on a terminal and leaves nothing behind', () => {
  const lines = written(true, 80).split('\r\u001b[2K');
  expect(lines).toContain('0/0  labels/life, uploads/start');
  expect(lines).toContain('1/3  uploads/start');
  expect(lines).toContain('Interrupted.\n');
  expect(lines.at(-1)).toBe('');
});

it('shortens the line to the width of the terminal', () => {
  const statuses = written(true, 25)
    .split('\r\u001b[2K')
    .filter((line) => /^\d+\//.test(line));
  expect(Math.max(...statuses.map(({ length }) => length))).toBe(24);
});
