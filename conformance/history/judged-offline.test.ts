import { expect, it } from 'vitest';
import { defects } from '../../mock/wrong/defects/index.ts';
import { judge } from '../index.ts';
import { named, tryDefect } from '../proof/trials/trial.ts';
import { historyText, parseHistory } from './history-file.ts';

it.each([
  null,
  'labels/legacy-apply-not-stored',
  'auth/no-key-served-by-listLabels',
  'isolation/foreign-served-by-getConversationContext',
])('a history in a file gives the report of the run, with the defect %s', async (id) => {
  const defect = id === null ? null : named(defects, id);
  const { history } = await tryDefect(defect);
  const online = judge(history, { today: 0 });
  expect(judge(parseHistory(historyText(history), 'file'), { today: 0 })).toEqual(online);
  const row = online.rows.find((one) => one.id === (defect?.rule ?? 'labels/apply-adds'));
  expect(row?.outcome).toBe(defect === null ? 'pass' : 'fail');
});
