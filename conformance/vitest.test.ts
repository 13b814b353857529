import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleChecks } from './proof/sample-checks.ts';
import { virtualMock } from './proof/virtual-mock.ts';
import { conformanceTests } from './vitest.ts';
import { memoryJournal } from './write-journal.ts';

// Its tests are the proof: they are declared here and pass against the mock.
const { target, environment } = await virtualMock({ latency: () => 40 });
const checks = sampleChecks.filter(({ id }) => ['auth/no-key', 'labels/apply', 'errors/unknown'].includes(id));
conformanceTests(target, { checks, environment, journal: memoryJournal() });

test('what fails, cannot tell or breaks fails its test; what lacks a field is skipped and fails the verdict', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-vitest-'));
  const here = (file: string) => JSON.stringify(join(import.meta.dirname, file));
  writeFileSync(
    join(folder, 'sample.test.ts'),
    `import { sampleChecks } from ${here('proof/sample-checks.ts')};
     import { virtualMock } from ${here('proof/virtual-mock.ts')};
     import { conformanceTests } from ${here('vitest.ts')};
     import { memoryJournal } from ${here('write-journal.ts')};
     const around = (handle) => async (request, trace) => {
       const reply = await handle(request, trace);
       return request.headers['x-api-key'] === undefined ? { ...reply, status: 401 } : reply;
     };
     const { target, environment } = await virtualMock({ around });
     target.tenants[0].sites.legacy = undefined;
     const waivers = [{ id: 'upload/start', reason: 'r', owner: 'o', expires: '2999-01-01' }];
     conformanceTests(target, { checks: sampleChecks, environment, journal: memoryJournal(), waivers });`,
  );
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', folder, '--reporter', 'json', '--outputFile', join(folder, 'out.json')];
  await new Promise((resolve) => execFile(process.execPath, args, resolve));
  const text = readFileSync(join(folder, 'out.json'), 'utf8');
  rmSync(folder, { recursive: true });

  const { assertionResults } = JSON.parse(text).testResults[0];
  const statuses = assertionResults.map(({ title, status }: { title: string; status: string }) => [
    title.replace(/:.*/, ''),
    status,
  ]);
  expect(Object.fromEntries(statuses)).toEqual({
    'auth/no-key': 'failed',
    'auth/forbidden-body': 'passed',
    'labels/apply': 'passed',
    'upload/start': 'passed',
    'errors/unknown': 'passed',
    'context/any-field': 'failed',
    'isolation/legacy-site': 'skipped',
    'limits/broken': 'failed',
    'every selected must rule is kept': 'failed',
  });
  const [noKey] = assertionResults;
  expect(noKey.failureMessages[0]).toMatch(/expected without a key: 403; observed .* answered 401.*\ncurl -i /);
  expect(assertionResults.at(-1).failureMessages[0]).toContain('the waiver of upload/start (o) is no longer needed');
}, 30_000);
