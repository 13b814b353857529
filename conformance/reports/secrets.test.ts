import { expect, it } from 'vitest';
import { check } from '../check.ts';
import { checks } from '../checks/index.ts';
import { expectThat } from '../expect.ts';
import { runConformance } from '../index.ts';
import { plan, planText } from '../plan.ts';
import { type VirtualMockOptions, virtualMock } from '../proof/virtual-mock.ts';
import { evidenceText } from '../replay.ts';
import { memoryJournal } from '../write-journal.ts';
import { consoleReport } from './console.ts';
import { formats } from './formats.ts';

type Around = NonNullable<VirtualMockOptions['around']>;

/** Signatures of every upload URL that the mock has issued. */
const issued = new Set<string>();
const watching: Around = (handle) => async (request, trace) => {
  const reply = await handle(request, trace);
  for (const [, signature = ''] of (reply.body ?? '').matchAll(/X-Amz-Signature=([0-9a-f]+)/g)) issued.add(signature);
  return reply;
};

/** Quotes the key in every error, plainly, percent-encoded and within a longer word, and in a header. */
const echoing: Around = (handle, mock) => async (request, trace) => {
  const reply = await watching(handle, mock)(request, trace);
  const key = request.headers['x-api-key'] ?? request.headers.authorization ?? '';
  if (reply.status < 400 || key === '') return reply;
  const message = `no ${key} here, ${encodeURIComponent(key)}, <${key}> prefix${key}suffix, ${request.url}`;
  const headers = { ...reply.headers, 'x-echo': key };
  return { ...reply, headers, body: JSON.stringify({ error: { code: 'FORBIDDEN', message } }) };
};

/** Says what a reply held in its own words, as a check might. */
const telltale = check({
  id: 'auth/telltale',
  rule: 'auth/no-key-is-403',
  title: 'quotes a reply',
  uses: ['getConversation'],
  async run({ call, newId }) {
    const reply = await call('getConversation', { params: { id: newId() } });
    expectThat(reply, false, reply.text, reply.text);
  },
});

it.each([
  ['the mock as it is', watching],
  ['a deployment that quotes the key in its errors', echoing],
])('no secret and no signature leaves the runner: %s', async (_, around) => {
  issued.clear();
  const { environment, target } = await virtualMock({ latency: () => 20, around });
  const report = await runConformance(target, {
    checks: [...checks, telltale],
    environment,
    journal: memoryJournal(),
    allowLeftovers: true,
    slow: true,
  });
  const planned = await plan(target, { checks, allowLeftovers: true, slow: true });
  const outputs: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(formats).map(([name, render]) => [name, render(report)])),
    console: consoleReport(report),
    evidence: report.rows.map(evidenceText).join(''),
    plan: planText(planned) + JSON.stringify(planned),
  };
  const secrets = target.tenants.flatMap(({ keys }) => keys.map(({ secret }) => secret));
  expect(report.rows.length).toBeGreaterThan(50);
  expect(issued.size).toBeGreaterThan(0);
  for (const [name, text] of Object.entries(outputs)) {
    const leaked = [...secrets, ...issued].filter((secret) => text.includes(secret));
    expect(leaked, name).toEqual([]);
  }
  // The searched texts do hold what was sent, by name.
  expect(outputs.json).toContain('$ACME_FULL_KEY');
});
