import { expect, it } from 'vitest';
import { judged } from './suite.ts';

const alarms = [
  ['prompts-list', 'no prompts'],
  [/^POST \S+: 409$/, 'registered twice'],
] as const;

it('fails what is no known false alarm, to the letter', () => {
  expect(judged(['prompts-list', 'POST /file: 409'], alarms)).toEqual({ defects: [], unseen: [] });
  expect(judged(['prompts-list-2', 'POST /file: 500'], alarms).defects).toEqual(['prompts-list-2', 'POST /file: 500']);
});

it('lists false alarms that are none any more', () => {
  expect(judged(['prompts-list'], alarms).unseen).toEqual([alarms[1]]);
});
