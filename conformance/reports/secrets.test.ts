import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { RuleId } from '../../spec/rules.ts';
import { curlOf } from '../history/curl.ts';
import { historyText } from '../history/history-file.ts';
import { judge } from '../index.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { type VirtualMockOptions, virtualMock } from '../proof/trials/virtual-mock.ts';
import { reproductionText } from '../reproduce/reproduce.ts';
import { plan, planText } from '../run/plan.ts';
import { gather } from '../run/run.ts';
import { explained } from '../target/secrets.ts';
import { judgeHistory } from '../verdict/judge.ts';
import { consoleReport } from './console.ts';
import { formats } from './report-files.ts';

type Around = NonNullable<VirtualMockOptions['around']>;

/** The signatures of all upload URLs of the mock. */
const issued = new Set<string>();
const watching: Around =
  ({ handle }) =>
  async (request, trace) => {
    const reply = await handle(request, trace);
    for (const [, signature = ''] of (reply.body ?? '').matchAll(/X-Amz-Signature=([0-9a-f]+)/g)) issued.add(signature);
    return reply;
  };

/** A deployment that quotes the key in every error: plainly, percent-encoded, inside a longer word, and in a header. */
const echoing: Around = (scene) => async (request, trace) => {
  const reply = await watching(scene)(request, trace);
  const key = request.headers['x-api-key'] ?? request.headers.authorization ?? '';
  if (reply.status < 400 || key === '') return reply;
  const message = `no ${key} here, ${encodeURIComponent(key)}, <${key}> prefix${key}suffix, ${request.url}`;
  const headers = { ...reply.headers, 'x-echo': key };
  return { ...reply, headers, body: JSON.stringify({ error: { code: 'FORBIDDEN', message } }) };
};

it.each([
  ['the mock as it is', watching],
  ['a deployment that quotes the key in its errors', echoing],
])('no secret and no signature leaves the runner: %s', async (_, around) => {
  issued.clear();
  const { environment, target } = await virtualMock({ latency: () => 20, around });
  const history = await gather(target, {
    environment,
    journal: memoryJournal(),
    kit: 'test',
    allowLeftovers: true,
    slow: true,
    preflight: false,
  });
  const report = judge(history);
  // Without a breach the evidence is the whole history, which is searched above.
  const evidence = judgeHistory(history, {})
    .filter(({ finding }) => finding.breaches.length > 0)
    .map(({ id, message, finding }) => {
      const exchanges = finding.breaches.map(({ exchange }) => exchange);
      return reproductionText({ rule: id, outcome: 'broken', message, exchanges }, target);
    })
    .join('');
  const planned = await plan(target, { allowLeftovers: true, slow: true });
  const outputs: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(formats).map(([name, render]) => [name, render(report)])),
    console: consoleReport(report),
    history: historyText(history),
    evidence,
    plan: planText(planned) + JSON.stringify(planned),
  };
  const secrets = target.tenants.flatMap(({ keys }) => keys.map(({ secret }) => secret));
  expect(report.rows.length).toBeGreaterThan(50);
  expect(issued.size).toBeGreaterThan(0);
  for (const [name, text] of Object.entries(outputs)) {
    const leaked = [...secrets, ...issued].filter((secret) => text.includes(secret));
    expect(leaked, name).toEqual([]);
  }
  // The searched texts do contain the placeholders.
  expect(outputs.history).toContain('$ACME_FULL_KEY');
});

it('curl lines name the variables of the target file, so that they can be pasted', async () => {
  const { environment, target } = await virtualMock({ latency: () => 20, around: echoing });
  const variables = { 'tenants[0].keys[0].secret': 'MY_KEY', 'headers.x-gateway': 'MY_GATEWAY' };
  const withVariables = {
    ...target,
    variables,
    headers: { 'x-gateway': 'gateway-secret-1', 'x-other': 'other-secret-12', 'content-type': 'application/json' },
  };
  const history = await gather(withVariables, {
    environment,
    journal: memoryJournal(),
    kit: 'test',
    rules: new Set<RuleId>(['service/reference-endpoints']),
  });
  const all = history.exchanges.map((exchange) => explained(curlOf(exchange), withVariables));
  const lines = all.filter((line) => line.includes('$MY_KEY'));
  expect(lines[0]).toContain('-H "x-api-key: $MY_KEY"');
  expect(lines[0]).toContain('-H "x-gateway: $MY_GATEWAY"');
  expect(lines[0]).toContain('-H "x-other: $X_OTHER"');
  expect(lines[0]).toContain("-H 'content-type: application/json'");
  expect(history.exchanges[0]?.headers['content-type']).toMatch(/^application\/json/);
  const literal = all.find((line) => line.includes('GLOBEX_FULL_KEY')) ?? '';
  const run = (env: Record<string, string>) =>
    spawnSync('sh', ['-c', literal.replace(/^curl/, 'echo')], { env, encoding: 'utf8' });
  expect(run({}).stderr).toMatch(/GLOBEX_FULL_KEY: set it to the secret of globex\/full in the target file/);
  expect(run({}).stdout).toBe('');
  expect(run({ GLOBEX_FULL_KEY: 'the-secret' }).stdout).toContain('x-api-key: the-secret ');
});
