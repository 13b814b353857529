import { runConformance } from '../../../../conformance/index.ts';
import { memoryJournal } from '../../../../conformance/journal/write-journal.ts';
import { packageVersion } from '../../../../spec/package-facts.ts';
import type { Tool } from '../tool.ts';

export const ours: Tool = {
  name: 'partnerkit conformance',
  version: packageVersion(),
  how: 'One run with the target file of the mock, `--allow-leftovers --allow-risk --allow-hooks --slow`.',
  blind: 'It knows this one contract and no other.',
  waits: true,
  async judge({ target }) {
    const { rows } = await runConformance(
      { ...target, settleMilliseconds: 1_000 },
      { journal: memoryJournal(), allowLeftovers: true, allowRisk: true, allowHooks: true, slow: true },
    );
    return rows.flatMap(({ id, outcome, rule }) =>
      outcome === 'fail' && rule.level === 'must' ? [{ at: id, what: id }] : [],
    );
  },
};
