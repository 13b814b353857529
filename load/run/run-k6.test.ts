import { afterEach, expect, test, vi } from 'vitest';
import { endingSignals } from '../../spec/interruption.ts';
import { runK6 } from './run-k6.ts';

// Listeners stay until the process ends, which is the one of all tests.
afterEach(() => {
  for (const signal of endingSignals) process.removeAllListeners(signal);
});

/** A shell in place of k6. */
const run = (script: string, options: Partial<Parameters<typeof runK6>[0]> = {}) =>
  runK6({ k6: '/bin/sh', args: ['-c', script], env: process.env, ...options });

test('follows standard output, and says with which message k6 failed', async () => {
  let raw = '';
  const script = (code: number) =>
    `echo line; echo first >&2; echo '{"level":"error","msg":"say \\"yes\\""}' >&2; exit ${code}`;
  const onRaw = (piece: string) => {
    raw += piece;
  };
  expect(await run(script(0), { onRaw })).toEqual([]);
  expect(raw).toBe('line\n');
  expect(await run(script(107))).toEqual([{ code: 'k6-failed', text: 'k6 ended with 107: say "yes"' }]);
  expect(await run('exit 104')).toEqual([{ code: 'k6-failed', text: 'k6 ended with 104' }]);
  // The raw output says why a script has ended the run.
  expect(await run(script(108))).toEqual([]);
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
  expect(ended).toMatchObject([{ code: 'interrupted' }]);
});

test.runIf(process.platform !== 'win32')('ends a k6 that is stopped by a signal', async () => {
  const ended = await run('kill -STOP $$', { maxDuration: 300 });
  expect(ended).toMatchObject([{ code: 'overdue' }]);
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
  expect(ended).toMatchObject([{ code: 'interrupted' }]);
});

test('names the signal that killed k6', async () => {
  expect(await run('kill -9 $$')).toEqual([{ code: 'k6-failed', text: 'k6 was killed by SIGKILL' }]);
});

test.runIf(process.platform === 'linux')('ends a k6 that takes too much memory', async () => {
  const hoard = `exec "${process.execPath}" -e 'const hoard = Buffer.alloc(3e8, 1); setInterval(() => hoard, 1000)'`;
  expect(await run(hoard, { maxMemory: 2e8 })).toMatchObject([{ code: 'too-much-memory' }]);
});

test('ends k6 when its output cannot be read, and says so once', async () => {
  const unread = run('while :; do echo more; sleep 0.01; done', {
    onRaw: () => {
      throw new Error('nothing that k6 writes');
    },
  });
  await expect(unread).rejects.toThrow('nothing that k6 writes');
});
