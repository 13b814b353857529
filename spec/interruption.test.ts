import { afterEach, expect, it, vi } from 'vitest';
import { endingSignals, interruption } from './interruption.ts';

const before = new Map(endingSignals.map((signal) => [signal, process.listeners(signal)]));
afterEach(() => {
  vi.restoreAllMocks();
  for (const signal of endingSignals)
    for (const listener of process.listeners(signal))
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
});

/** What is called when these signals arrive, each at its millisecond. */
function heard(...signals: readonly (readonly [NodeJS.Signals, number])[]): string[] {
  const calls: string[] = [];
  const interrupted = interruption(
    () => calls.push('first'),
    (signal) => calls.push(`again ${signal}`),
  );
  for (const [signal, at] of signals) {
    vi.spyOn(performance, 'now').mockReturnValue(at);
    process.emit(signal, signal);
  }
  expect(interrupted.signal.aborted).toBe(signals.length > 0);
  interrupted[Symbol.dispose]();
  return calls;
}

it.each(endingSignals)('%s interrupts', (signal) => {
  expect(heard([signal, 0])).toEqual(['first']);
});

it.each([
  ['the key that npm passes on as well', 'SIGINT', 'SIGINT', 40],
  ['a terminal whose shell passes SIGHUP on as well', 'SIGHUP', 'SIGHUP', 3_000],
  ['a job that is cancelled step by step', 'SIGINT', 'SIGTERM', 7_500],
] as const)('%s does not end what is being undone', (_, first, second, at) => {
  expect(heard([first, 0], [second, at])).toEqual(['first']);
});

it.each(['SIGINT', 'SIGQUIT'] as const)('another %s ends it', (signal) => {
  expect(heard(['SIGTERM', 0], [signal, 1_000])).toEqual(['first', `again ${signal}`]);
});

it('leaves no listener behind, and keeps those of a process that was interrupted until it ends', () => {
  const count = () => process.listenerCount('SIGHUP');
  const none = count();
  heard();
  expect(count()).toBe(none);
  heard(['SIGHUP', 0]);
  expect(count()).toBe(none + 1);
});
