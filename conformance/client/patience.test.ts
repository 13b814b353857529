import { expect, it } from 'vitest';
import { createPatience } from './patience.ts';

it('waits shortly for an operation that never succeeded and timed out often, and as long as ever for others', () => {
  const patience = createPatience(30_000);
  patience.succeeded('works');
  for (let i = 0; i < 5; i++) for (const operation of ['hangs', 'works']) patience.timedOut(operation);
  expect(patience.timeoutOf('hangs')).toBe(30_000);
  for (const operation of ['hangs', 'works']) patience.timedOut(operation);
  expect(['hangs', 'works', 'new'].map(patience.timeoutOf)).toEqual([5_000, 30_000, 30_000]);
  patience.succeeded('hangs');
  expect(patience.timeoutOf('hangs')).toBe(30_000);
});

it('never waits longer than it is told to', () => {
  const patience = createPatience(1_000);
  for (let i = 0; i < 9; i++) patience.timedOut('hangs');
  expect(patience.timeoutOf('hangs')).toBe(1_000);
});

it('tries requests that time out less often after many time-outs', () => {
  const patience = createPatience(30_000);
  for (let i = 0; i < 9; i++) patience.timedOut(`operation ${i}`);
  expect(patience.tries('timeout')).toBe(5);
  patience.timedOut('another');
  expect([patience.tries('timeout'), patience.tries(null)]).toEqual([2, 5]);
});
