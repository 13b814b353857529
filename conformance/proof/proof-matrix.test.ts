import { expect, it } from 'vitest';
import type { MutationRecord } from './mutation-record.ts';
import { proofHtml } from './proof-html.ts';
import { proofMarkdown } from './proof-markdown.ts';
import { type ProofMatrix, proofProblems } from './proof-matrix.ts';

const defect: ProofMatrix['defects'][number] = {
  id: 'auth/no-key-401',
  breaks: 'auth/no-key-is-403',
  does: 'answers <401> | and more',
  fate: 'killed',
  survives: false,
  killedBy: ['auth/no-key/health'],
  collateral: ['errors/body/every-reply'],
  inconclusive: [],
};
const matrix: ProofMatrix = {
  checks: [
    { id: 'auth/no-key/health', rule: 'auth/no-key-is-403' },
    { id: 'errors/body/every-reply', rule: 'errors/body' },
  ],
  defects: [defect],
  variants: [{ id: 'plain', does: 'nothing', runs: 2, conformant: 2, falseAlarms: [], inconclusive: 0 }],
  seeds: 2,
  networks: ['none'],
};

const mutant = { file: 'auth.ts', kind: 'assertion', nth: 1 } as const;
const mutation: MutationRecord = {
  mutants: [
    { ...mutant, text: 'expectThat(a)', noticed: { kind: 'lost', defect: defect.id, check: 'auth/no-key/health' } },
    { ...mutant, text: 'expectThat(`b`)', noticed: null },
  ],
};

it('has nothing to say of a proof that holds', () => {
  expect(proofProblems(matrix, matrix)).toEqual([]);
});

it('reports survivors, noise and what ought to have survived', () => {
  const defects: ProofMatrix['defects'] = [
    { ...defect, id: 'a', fate: 'survived', killedBy: [] },
    { ...defect, id: 'b', fate: 'noise', killedBy: [] },
    { ...defect, id: 'c', survives: true },
    { ...defect, id: 'd', survives: true, fate: 'survived', killedBy: [] },
  ];
  expect(proofProblems({ ...matrix, defects }, null)).toEqual([
    'survivor: no check of auth/no-key-is-403 fails on a',
    'noise: b was never reached',
    'c cannot be seen, but auth/no-key/health failed on it',
  ]);
});

it('reports false alarms, checks that nothing makes fail, and kills that were lost', () => {
  const alarm = { check: 'x', outcome: 'fail', message: 'm', profile: 'none', seed: 1 };
  const variants = matrix.variants.map((row) => ({ ...row, falseAlarms: [alarm] }));
  expect(proofProblems({ ...matrix, variants }, null)).toEqual(['false alarm: x, fail on plain (none, seed 1): m']);
  const found = proofProblems({ ...matrix, defects: [{ ...defect, killedBy: ['errors/body/every-reply'] }] }, matrix);
  expect(found).toHaveLength(2);
  expect(found[0]).toBe('unproven: no defect makes auth/no-key/health fail');
  expect(found[1]).toContain('lost: auth/no-key/health failed on auth/no-key-401 before');
});

it('reports a check that judges what it could not tell before', () => {
  const unsure = { ...matrix, defects: [{ ...defect, inconclusive: ['errors/body/every-reply'] }] };
  expect(proofProblems(unsure, unsure)).toEqual([]);
  const [problem] = proofProblems(matrix, unsure);
  expect(problem).toContain('judged: errors/body/every-reply could not tell about auth/no-key-401 before');
});

it('draws one mark for each failing check, and escapes what it shows', () => {
  const html = proofHtml(matrix, null);
  expect(html.match(/<use href="#k"/g)).toHaveLength(1);
  expect(html.match(/<use href="#c"/g)).toHaveLength(1);
  expect(html).not.toContain('<401>');
  expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});

it('writes a table of Markdown that a pipe does not break', () => {
  const text = proofMarkdown(matrix, mutation);
  expect(text).toContain('1 of 1 defects killed');
  expect(text).toContain('answers <401> \\| and more');
  expect(text).toContain('without 1 of 2 assertions that find fault');
  expect(text).toContain("| checks/auth.ts | assertion | `expectThat('b')` |");
});
