import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutants } from './mutants.ts';
import { isSame, percentOf, readMutationRecord, scoreOf } from './mutation-record.ts';
import { mutationLines } from './proof-markdown.ts';

describe('what was measured by taking assertions away', () => {
  const record = readMutationRecord() ?? { mutants: [] };

  it('is about the assertions that there are: run npm run proof:mutation, with --only one file', () => {
    const all = mutants();
    const unmeasured = all.filter((mutant) => !record.mutants.some((known) => isSame(known, mutant)));
    const gone = record.mutants.filter((known) => !all.some((mutant) => isSame(known, mutant)));
    expect({ unmeasured, gone }).toEqual({ unmeasured: [], gone: [] });
  });

  it('comes to 90 % of the assertions at least', () => {
    expect(percentOf(scoreOf(record, 'assertion'))).toBeGreaterThanOrEqual(90);
  });

  it('is what the kill matrix says', () => {
    const page = readFileSync(new URL('kill-matrix.md', import.meta.url), 'utf8');
    for (const line of mutationLines(record)) expect(page).toContain(line);
  });
});
