import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryJournal } from './journal/write-journal.ts';
import { virtualMock } from './proof/trials/virtual-mock.ts';
import { conformanceTests } from './vitest.ts';

// The tests declared here pass against the mock.
const { target, environment } = await virtualMock({ latency: () => 40 });
conformanceTests(target, { only: ['auth/no-key-is-403', 'labels/apply-adds'], environment, journal: memoryJournal() });

test('a broken law fails its test, and so does one that could not decide, and says so; a law without a field of the target file is skipped, and the verdict fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-vitest-'));
  const here = (file: string) => JSON.stringify(join(import.meta.dirname, file));
  writeFileSync(
    join(folder, 'sample.test.ts'),
    `import { virtualMock } from ${here('proof/trials/virtual-mock.ts')};
     import { conformanceTests } from ${here('vitest.ts')};
     import { memoryJournal } from ${here('journal/write-journal.ts')};
     let contexts = 0;
     const around = ({ handle }) => async (request, trace) => {
       const reply = await handle(request, trace);
       if (request.headers['x-api-key'] === undefined) return { ...reply, status: 401 };
       return request.url.endsWith('/context') && reply.status === 200 && ++contexts === 9 ? { ...reply, status: 404 } : reply;
     };
     const { target, environment } = await virtualMock({ around });
     for (const tenant of target.tenants) tenant.privateLabel = tenant.privateLabels = undefined;
     const waivers = [{ id: 'upload/start-is-201', reason: 'r', owner: 'o', expires: '2999-01-01' }];
     const only = ['auth/no-key-is-403', 'labels/private-cannot-be-applied', 'upload/start-is-201', 'context/get-answers-context'];
     conformanceTests(target, { only, environment, journal: memoryJournal(), waivers });`,
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
    'auth/no-key-is-403': 'failed',
    'labels/private-cannot-be-applied': 'skipped',
    'upload/start-is-201': 'passed',
    'context/get-answers-context': 'failed',
    'every selected must rule is kept': 'failed',
  });
  const failed = assertionResults.filter(({ status }: { status: string }) => status === 'failed');
  expect(failed[0].failureMessages[0]).toMatch(
    /inconclusive: 404 where success was expected; tried again, .*\ncurl -i .*\/context'/,
  );
  expect(failed[1].failureMessages[0]).toMatch(/expected .*403.*observed .*401[\s\S]*\ncurl -i /);
  expect(failed.at(-1).failureMessages[0]).toContain('the waiver of upload/start-is-201 (o) is no longer needed');
});
