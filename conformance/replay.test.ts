import { expect, it } from 'vitest';
import { sampleChecks } from './proof/sample-checks.ts';
import { virtualMock } from './proof/virtual-mock.ts';
import { evidenceText, replay } from './replay.ts';
import { memoryJournal } from './write-journal.ts';

const { target, environment } = await virtualMock({ latency: () => 40 });
const options = { checks: sampleChecks, environment, journal: memoryJournal() };

it('runs one check and shows every exchange', async () => {
  const row = await replay('labels/apply', target, options);
  expect(row.outcome).toBe('pass');
  const text = evidenceText(row);
  expect(text).toMatch(/^labels\/apply: pass\n/);
  expect(text).toMatch(/--- 1 of 2: applyConversationLabel, acme\/full, 80 ms\n> PUT http/);
  expect(text).toContain('> x-api-key: $ACME_FULL_KEY');
  expect(text).toMatch(/--- 2 of 2: removeConversationLabel/);
  expect(text).not.toContain('acmefull');
});

it('leaves a file behind only where that is allowed', async () => {
  expect((await replay('upload/leaves-a-file', target, options)).outcome).toBe('not-selected');
  expect((await replay('upload/leaves-a-file', target, { ...options, allowLeftovers: true })).outcome).toBe('pass');
});

it('answers an unknown id with the nearest', async () => {
  await expect(replay('labels/aply', target, options)).rejects.toThrow('did you mean "labels/apply"?');
});

it('shows no control characters of a reply', async () => {
  const row = await replay('auth/no-key', target, options);
  expect(evidenceText({ ...row, expected: 'a', observed: '\u001b[2J' })).not.toContain('\u001b');
});
