import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { check } from './check.ts';
import { checkTable, describeCheck, explanation } from './describe-check.ts';
import { readKillMatrix } from './kill-matrix.ts';
import { sampleChecks } from './proof/sample-checks.ts';

const labels = describeCheck(
  check({
    id: 'labels/apply',
    rule: 'labels/conversation-apply',
    title: 'applying a label succeeds',
    needs: ['openConversation', 'strangerSite'],
    uses: ['applyConversationLabel'],
    keys: { poor: { of: 'stranger', scopes: ['site:write'], lacks: 'conversation:write' } },
    writes: 'labels',
    async run() {},
  }),
);

it('names needs as fields of the target file, and keys in words', () => {
  expect(labels.needs).toEqual(['tenants[0].conversations.open', 'tenants[1].sites.current']);
  expect(labels.keys).toEqual(['a key of the second tenant with site:write without conversation:write']);
});

it('lists a check with rule, level, provenance, needs and writes', () => {
  expect(checkTable([labels])).toBe(
    [
      'labels/apply  must    documented  writes labels',
      '    applying a label succeeds',
      `    rule labels/conversation-apply; needs ${[...labels.needs, ...labels.keys].join(', ')}`,
      '',
      '1 check',
      '',
    ].join('\n'),
  );
});

it('explains what a deviation means, by level and provenance', () => {
  const explained = (id: string) =>
    explanation(describeCheck(sampleChecks.find((one) => one.id === id) ?? expect.fail(id)), null);
  expect(explained('auth/no-key')).toContain('A deviation fails the run.');
  expect(explained('auth/forbidden-body')).toContain('A deviation is a warning');
  expect(explained('errors/unknown')).toContain('never fails a run');
  expect(explained('upload/leaves-a-file')).toContain('only with --allow-leftovers');
});

it('names the defects that prove it, or says that none were run', () => {
  expect(explanation(labels, null)).toContain('No kill matrix is here');
  expect(explanation(labels, [])).toContain('No defect in the kill matrix proves it.');
  const kill = {
    id: 'labels/lost',
    breaks: 'labels/conversation-apply',
    does: 'loses the label',
    killedBy: [labels.id],
  };
  expect(explanation(labels, [kill])).toContain('It fails, as it must, on:\n  labels/lost: loses the label');
});

it('reads a kill matrix, or finds none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-matrix-'));
  const defect = { id: 'a', breaks: 'b', does: 'c', killedBy: ['d'], fate: 'killed' };
  writeFileSync(join(folder, 'matrix.json'), JSON.stringify({ defects: [defect] }));
  expect(readKillMatrix(join(folder, 'matrix.json'))).toEqual([{ id: 'a', breaks: 'b', does: 'c', killedBy: ['d'] }]);
  expect(readKillMatrix(join(folder, 'none.json'))).toBeNull();
  rmSync(folder, { recursive: true });
});
