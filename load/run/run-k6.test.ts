import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { endingSignals } from '../../spec/interruption.ts';
import { keepRaw } from './keep-raw.ts';
import { runK6 } from './run-k6.ts';

// Listeners stay until the process ends, which is the one of all tests.
afterEach(() => {
  for (const signal of endingSignals) process.removeAllListeners(signal);
});

/** A shell in place of k6. */
const run = (script: string, options: Partial<Parameters<typeof runK6>[0]> = {}) =>
  runK6({ k6: '/bin/sh', args: ['-c', script], env: process.env, ...options });

test('follows and keeps standard output, and keeps only the last lines of messages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-run-k6-'));
  const file = join(folder, 'raw.json');
  let raw = '';
  const ended = await run(
    'i=0; while [ $i -lt 50 ]; do echo "line $i"; echo "level=info msg=$i" >&2; i=$((i+1)); done; exit 99',
    {
      onRaw: (piece) => {
        raw += piece;
      },
      keep: keepRaw(file),
    },
  );
  expect(raw).toMatch(/^line 0\n[\s\S]*\nline 49\n$/);
  expect(readFileSync(file, 'utf8')).toBe(raw);
  rmSync(folder, { recursive: true });
  expect(ended).toMatchObject({ code: 99, signal: null, interrupted: false });
  expect(ended.said).toEqual(Array.from({ length: 40 }, (_, index) => String(index + 10)));
});

test.each(endingSignals)('passes %s on once, as Ctrl-C, and still reads what k6 writes after it', async (signal) => {
  let raw = '';
  const ended = await run("trap 'echo teardown; exit 105' INT; echo started; while :; do sleep 0.01; done", {
    onRaw: (piece) => {
      raw += piece;
      if (raw === 'started\n') process.emit(signal, signal);
    },
  });
  expect(raw).toBe('started\nteardown\n');
  expect(ended).toMatchObject({ code: 105, interrupted: true });
});

test.runIf(process.platform !== 'win32')('ends a k6 that is stopped by a signal', async () => {
  const ended = await run('kill -STOP $$', { maxDuration: 300 });
  expect(ended).toMatchObject({ signal: 'SIGKILL', interrupted: false, overdue: true });
});

test('ends a k6 that ignores the first interruption at the second one', async () => {
  let told = 0;
  const now = vi.spyOn(performance, 'now');
  const ended = await run("trap 'echo again' INT; echo started; while :; do sleep 0.01; done", {
    onRaw: () => {
      now.mockReturnValue(told * 1_000);
      if (told++ < 2) process.emit('SIGINT', 'SIGINT');
    },
  });
  now.mockRestore();
  expect(ended).toMatchObject({ signal: 'SIGKILL', interrupted: true });
});

test('names the signal that killed k6', async () => {
  expect(await run('kill -9 $$')).toMatchObject({ code: null, signal: 'SIGKILL', interrupted: false });
});

test.runIf(process.platform === 'linux')('ends a k6 that takes too much memory', async () => {
  const hoard = `exec "${process.execPath}" -e 'const hoard = Buffer.alloc(3e8, 1); setInterval(() => hoard, 1000)'`;
  expect(await run(hoard, { maxMemory: 2e8 })).toMatchObject({ signal: 'SIGKILL', interrupted: false, tooLarge: true });
});

test('ends k6 when its output cannot be read, and says so once', async () => {
  const unread = run('while :; do echo more; sleep 0.01; done', {
    onRaw: () => {
      throw new Error('nothing that k6 writes');
    },
  });
  await expect(unread).rejects.toThrow('nothing that k6 writes');
});
