import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileJournal } from '../../../conformance/journal/file-journal.ts';
import { defaultAllowance } from '../../../load/plan/refusals.ts';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import { prepareRun } from '../../../load/run/prepare-run.ts';
import { journaled } from './journaled.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-journaled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(import.meta.dirname, '../../../fixtures/mock.target.yaml');
const prepared = (scenario: string) => prepareRun({ scenario, file, keys: [], allowance: defaultAllowance }, {});
const journal = fileJournal(folder, prepared('labels').target.baseUrl);
const pending = async () =>
  (await journal.pending()).map((entry) => ('holder' in entry ? entry.holder.kind : entry.hook));
const ended = (outcome: LoadReport['outcome']) => ({ outcome }) as LoadReport;

test('a run journals the labels that it will apply before it begins, and removes them from the journal when it ends well', async () => {
  const report = await journaled(
    prepared('labels'),
    [],
    async () => {
      expect(await pending()).toEqual(['conversation', 'site', 'link']);
      return ended('keeps');
    },
    file,
    folder,
  );
  expect(report.outcome).toBe('keeps');
  expect(await pending()).toEqual([]);
});

test('the labels stay in the journal when the run dies or its end is in doubt', async () => {
  const dying = journaled(prepared('labels'), [], () => Promise.reject(new Error('killed')), file, folder);
  await expect(dying).rejects.toThrow('killed');
  expect(await pending()).toHaveLength(3);
  await journaled(prepared('labels'), [], async () => ended('cannot-tell'), file, folder);
  expect(await pending()).toHaveLength(3);
});

test('a scenario that changes nothing writes no journal', async () => {
  const before = await pending();
  await journaled(prepared('burst'), [], async () => ended('breaks'), file, folder);
  expect(await pending()).toEqual(before);
});
