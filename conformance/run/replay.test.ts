import { expect, it } from 'vitest';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { evidenceText, replay } from './replay.ts';

const world = async (around?: NonNullable<Parameters<typeof virtualMock>[0]>['around']) => {
  const { target, environment } = await virtualMock({ latency: () => 40, ...(around && { around }) });
  return { target, options: { environment, journal: memoryJournal(), kit: 'test', preflight: false } };
};

it('judges one law again and shows every exchange', async () => {
  const { target, options } = await world();
  const again = await replay('context/strings', target, options);
  expect(again.result.outcome).toBe('pass');
  const text = evidenceText(again);
  expect(text).toMatch(/^context\/strings: pass\n/);
  expect(text).toMatch(/--- \d+, .*: getConversationContext, acme\/[-\w]+, 80 ms\n> GET http/);
  expect(text).toMatch(/> x-api-key: \$ACME_\w+_KEY/);
  expect(text).not.toContain('acmefull');
});

it('shows the exchanges of a breach, without control characters of a reply', async () => {
  const { target, options } = await world((handle) => async (request, trace) => {
    const reply = await handle(request, trace);
    return request.headers['x-api-key'] === undefined
      ? { ...reply, status: 200, body: '"\\u001b[2J \u001b[2J"' }
      : reply;
  });
  const again = await replay('auth/no-key-is-403', target, options);
  expect(again.result.outcome).toBe('fail');
  const text = evidenceText(again);
  expect(text).toContain('< 200');
  expect(text).not.toContain('\u001b');
});

it('runs situations that take minutes only with slow', async () => {
  const { target, options } = await world();
  const id = 'upload/expired-url-is-refused';
  const { result } = await replay(id, target, options);
  expect([result.outcome, result.message]).toEqual(['not-selected', 'it needs --slow']);
  expect((await replay(id, target, { ...options, slow: true })).result.outcome).toBe('pass');
});

it('names the nearest id for an unknown one', async () => {
  const { target, options } = await world();
  await expect(replay('labels/aply-adds', target, options)).rejects.toThrow('did you mean "labels/apply-adds"?');
});
