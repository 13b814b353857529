import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileJournal } from '../../conformance/journal/file-journal.ts';
import { defaultAllowance } from '../../load/plan/traffic.ts';
import { prepareRun } from '../../load/run/prepare-run.ts';
import { readYamlFile } from '../../spec/files/read-file.ts';
import { noteLabels } from './label-changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-journaled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(import.meta.dirname, '../../fixtures/mock.target.yaml');
const prepared = (scenario: string) =>
  prepareRun(readYamlFile(file), scenario, { allowance: defaultAllowance, env: {}, where: file });
const journal = fileJournal(folder, prepared('labels').target.baseUrl);
const pending = async () =>
  (await journal.pending()).map((entry) => ('holder' in entry ? entry.holder.kind : entry.hook));

test('a run journals the labels that it will apply before it begins, and removes them when it ends well', async () => {
  const end = await noteLabels(prepared('labels'), file, folder);
  expect(await pending()).toEqual(['conversation', 'site', 'link']);
  await end({ outcome: 'keeps' });
  expect(await pending()).toEqual([]);
});

test('the labels stay in the journal when the end of the run is in doubt', async () => {
  const end = await noteLabels(prepared('labels'), file, folder);
  await end({ outcome: 'cannot-tell' });
  expect(await pending()).toHaveLength(3);
});

test('a scenario that changes nothing writes no journal', async () => {
  const before = await pending();
  const end = await noteLabels(prepared('burst'), file, folder);
  await end({ outcome: 'breaks' });
  expect(await pending()).toEqual(before);
});
