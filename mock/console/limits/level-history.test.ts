import { expect, it } from 'vitest';
import type { Limit } from '../control/control.ts';
import { LevelHistory } from './level-history.ts';

const limit = (level: number | null) => ({ id: 'k', level }) as Limit;

it('keeps a minute of levels, and forgets what a clock that was set back has not seen', () => {
  const history = new LevelHistory();
  history.note([limit(20)], 0);
  history.note([limit(10)], 30_000);
  history.note([limit(12)], 61_000);
  expect(history.of('k').map(({ level }) => level)).toEqual([10, 12]);
  history.note([limit(5)], 40_000);
  expect(history.of('k').map(({ level }) => level)).toEqual([10, 5]);
});

it('notes nothing of a key without a limit', () => {
  const history = new LevelHistory();
  history.note([limit(null)], 0);
  expect(history.of('k')).toEqual([]);
});
