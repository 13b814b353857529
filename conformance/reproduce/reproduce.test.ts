import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { defects } from '../../mock/wrong/defects/index.ts';
import type { RuleId } from '../../spec/rules.ts';
import { judge } from '../index.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { stateOf } from '../proof/jobs/killed-run.ts';
import { named, tryDefect } from '../proof/trials/trial.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { evidenceOf } from '../reports/failures.ts';
import { formats } from '../reports/report-files.ts';
import { reproduce, reproductionText } from './reproduce.ts';

/** The report of a run against a deployment with this defect. */
async function reportOf(id: string, rule?: RuleId) {
  const defect = named(defects, id);
  const rules = new Set([rule ?? defect.rule]);
  const report = judge((await tryDefect(defect, { rules })).history, { today: 0 });
  return { defect, report };
}

const options = (environment: Awaited<ReturnType<typeof virtualMock>>['environment']) => ({
  environment,
  journal: memoryJournal(),
  kit: 'test',
});

it.each([
  ['labels/legacy-apply-not-stored', 'labels/apply-adds', 3, /^seen again: 8 of 8$/],
  ['labels/apply-to-conversation-replaces', 'labels/apply-adds', 2, /^seen again: 8 of 8$/],
  ['labels/apply-hits-a-neighbour', 'labels/apply-adds', 4, /^seen again: 8 of 8$/],
  ['auth/no-key-served-by-listLabels', 'auth/no-key-is-403', 1, /^seen again: 8 of 8$/],
  ['isolation/foreign-served-by-getConversationContext', 'isolation/reads-stay-in-tenant', 1, /^seen again: 8 of 8$/],
] as const)(
  '%s: the script of %s is seen again, and not where it is mended',
  async (id, rule, length, message) => {
    const { defect, report } = await reportOf(id, rule);
    const row = report.rows.find((one) => one.id === rule);
    const [evidence] = row ? evidenceOf(report, row) : [];
    expect(evidence?.requests).toHaveLength(length);

    const broken = await virtualMock({
      latency: () => 40,
      around: (scene) => defect.around?.({ ...scene, reached: () => undefined }) ?? scene.handle,
    });
    const before = await stateOf(broken.mock);
    const again = await reproduce(report, rule, broken.target, options(broken.environment));
    expect([again.outcome, again.message]).toEqual(['broken', expect.stringMatching(message)]);
    expect(again.exchanges.length).toBeLessThan(80);
    expect(reproductionText(again, broken.target)).not.toContain('fake-secret');

    const mended = await virtualMock({ latency: () => 40 });
    const gone = await reproduce(report, rule, mended.target, options(mended.environment));
    expect([gone.outcome, gone.message]).toEqual([
      'gone',
      expect.stringMatching(/^not seen in 8; missed with less than 5% at the recorded share/),
    ]);
    // Scripts may start uploads, which end by themselves.
    expect(await stateOf(mended.mock)).toEqual(before);
  },
  60_000,
);

it('what takes more than a few requests is tried by its scripts', async () => {
  const { report } = await reportOf('auth/no-key-served-by-listLabels');
  const { target, environment } = await virtualMock({ latency: () => 40 });
  const row = report.rows.find(({ id }) => id === 'limiter/burst');
  const failed = {
    ...report,
    rows: report.rows.map((one) => (one === row ? { ...one, outcome: 'fail' as const } : one)),
  };
  const { outcome, message } = await reproduce(failed, 'limiter/burst', target, options(environment));
  expect(outcome).toBe('gone');
  expect(message).toMatch(/: its scripts run; not seen in \d+$/);
});

it('names the laws that failed, where another is asked for', async () => {
  const { report } = await reportOf('auth/no-key-served-by-listLabels');
  const { target, environment } = await virtualMock();
  await expect(reproduce(report, 'labels/apply-adds', target, options(environment))).rejects.toThrow(
    'labels/apply-adds did not fail in that run; these did: ',
  );
});

it('the requests of a failure are curl lines and an .http file', async () => {
  const { report } = await reportOf('labels/legacy-apply-not-stored');
  const row = report.rows.find(({ id }) => id === 'labels/apply-adds');
  const [evidence] = row ? evidenceOf(report, row) : [];
  const lines = evidence?.requests.map(({ curl }) => curl) ?? [];
  const keys = report.exchanges.flatMap(({ key }) =>
    key === null ? [] : [`${key.toUpperCase().replace(/\W/g, '_')}_KEY`],
  );
  const env = Object.fromEntries(keys.map((key) => [key, 'the-secret']));
  const run = spawnSync('sh', ['-ec', lines.map((line) => line.replace(/^curl/, 'echo')).join('\n')], {
    env,
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(
    run.stdout
      .trim()
      .split('\n')
      .map((line) => /-X (\w+)/.exec(line)?.[1]),
  ).toEqual(['DELETE', 'PUT', 'DELETE']);
  expect(run.stdout.match(/x-api-key: the-secret/g)).toHaveLength(3);

  const http = formats.http(report);
  expect(http).toMatch(/^@ACME_\w+_KEY = \{\{\$processEnv ACME_\w+_KEY\}\}$/m);
  expect(http).toMatch(
    /### labels\/apply-adds.*: expected .*; got label \S+ \("\S+"\) missing; seen 8 of 8 times with this request, and 0 of 8 times in the control, the same steps without it, 2 of 3\nPUT http:\S+\n(.+\n)*x-api-key: \{\{ACME_\w+_KEY\}\}\n/,
  );
});
