import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { defects } from '../../mock/wrong/defects/index.ts';
import type { RuleId } from '../../spec/rules.ts';
import { judge } from '../index.ts';
import { named } from '../proof/trials/named.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { evidenceOf } from '../reports/evidence-of.ts';
import { formats } from '../reports/formats.ts';

/** The report of a run against a deployment with this defect. */
async function reportOf(id: string, rule?: RuleId) {
  const defect = named(defects, id);
  const rules = new Set([rule ?? defect.breaks]);
  const report = judge((await tryDefect(defect, { rules })).history, { today: 0 });
  return report;
}

it.each([
  ['labels/legacy-apply-not-stored', 'labels/apply-adds', ['DELETE', 'PUT', 'DELETE']],
  ['labels/apply-to-conversation-replaces', 'labels/apply-adds', ['PUT', 'PUT']],
  ['labels/apply-hits-a-neighbour', 'labels/apply-adds', ['DELETE', 'PUT', 'PUT', 'GET']],
  ['auth/no-key-served-by-listLabels', 'auth/no-key-is-403', ['GET']],
  ['isolation/foreign-served-by-getConversationContext', 'isolation/reads-stay-in-tenant', ['GET']],
] as const)('%s: the script of %s is as short as it can be', async (id, rule, methods) => {
  const report = await reportOf(id, rule);
  const row = report.rows.find((one) => one.id === rule);
  const [evidence] = row ? evidenceOf(report, row) : [];
  expect([...(evidence?.others ?? []), evidence?.exchange].map((one) => one?.method)).toEqual(methods);
});

it('the requests of a failure are curl lines and an .http file', async () => {
  const report = await reportOf('labels/legacy-apply-not-stored');
  const row = report.rows.find(({ id }) => id === 'labels/apply-adds');
  const [evidence] = row ? evidenceOf(report, row) : [];
  const lines = [...(evidence?.others ?? []), evidence?.exchange].map((one) => one?.curl ?? '');
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
    /### labels\/apply-adds.*: expected .*; observed label \S+ is not there \(8 of 8, without the request 0 of 8\), 2 of 3\nPUT http:\S+\n(.+\n)*x-api-key: \{\{ACME_\w+_KEY\}\}\n/,
  );
});
