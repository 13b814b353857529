import { expect, test } from 'vitest';
import { loadTarget } from '../../spec/files/target.ts';
import type { Ask } from '../client/ask.ts';
import type { Exchange } from '../history/exchange.ts';
import { memoryJournal, type WriteJournal } from '../journal/write-journal.ts';
import { deploymentOf } from '../target/deployment.ts';
import type { LabelWrite } from '../target/holder.ts';
import { createWriteGuard } from './write-guard.ts';

const file = new URL('../../fixtures/mock.target.yaml', import.meta.url).pathname;
const deployment = deploymentOf(loadTarget(file));
const apply: LabelWrite = {
  act: 'apply',
  holder: { kind: 'conversation', id: deployment.tenant.conversations?.open ?? '' },
  label: deployment.tenant.spareLabel?.id ?? '',
};
/** Nothing takes a label off a conversation of this deployment. */
const withoutRemoval = deploymentOf({ ...loadTarget(file), operations: { removeConversationLabel: null } });
const answered = (status: number): Exchange =>
  ({ status, sentAt: 10, doneAt: 20, method: 'DELETE', credential: 'key', failure: null }) as Exchange;

/** A guard that sends its removals so. */
const guardWith = (
  send: (ask: Ask) => Promise<Exchange>,
  options: Partial<Parameters<typeof createWriteGuard>[0]> = {},
) => {
  const journal = memoryJournal();
  const clock = { now: () => 0, sleep: async () => undefined, timeout: 1_000 };
  return { journal, guard: createWriteGuard({ deployment, journal, send, ...clock, ...options }) };
};

/** A label is put on, which is answered so, and at the end it is taken off. */
async function writeAndUndo(guard: ReturnType<typeof createWriteGuard>, status = 200, write = apply) {
  await guard.before(write, 'acme');
  guard.after(write, 'acme', answered(status));
  await guard.settle(false);
}

test('lets no write pass before its entry is journaled, also if another one journals it first', async () => {
  const flushed = Promise.withResolvers<void>();
  const journal: WriteJournal = { ...memoryJournal(), borrowed: () => flushed.promise };
  const { guard } = guardWith(async () => answered(200), { journal });
  let opened = 0;
  const both = [1, 2].map(() => guard.before(apply, 'acme').then(() => opened++));
  for (let turn = 0; turn < 10; turn++) await null;
  expect(opened).toBe(0);
  flushed.resolve();
  await Promise.all(both);
  expect(opened).toBe(2);
});

test.each([
  ['waits for a write that was cut off, and then undoes it', false, 1_000, 0],
  ['does not wait at an interruption, and keeps a write that may still arrive in the journal', true, 0, 1],
])('%s', async (_, isHurried, waited, pending) => {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const { guard, journal } = guardWith(async () => answered(200), { now: () => now, sleep });
  await guard.before(apply, 'acme');
  await guard.settle(isHurried);
  expect(now).toBeGreaterThanOrEqual(waited);
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toHaveLength(pending);
});

test.each([
  ['a private label', deployment.tenant.privateLabels?.find(({ on }) => on?.length === 0)?.id],
  ['a label that the run made up', '469b502c-f974-4c77-9c02-ef30669655d7'],
])('takes %s as not applied if its write was not answered and its removal is refused', async (_, label = '') => {
  const { guard, journal } = guardWith(async () => answered(404));
  await writeAndUndo(guard, 500, { ...apply, label });
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});

test.each([
  ['acme/full', 403],
  ['globex/full', 404],
])('undoes a write with %s where others are answered %i', async (served, refusal) => {
  const { guard, journal } = guardWith(async ({ key }) =>
    answered(key && `${key.tenant}/${key.name}` === served ? 200 : refusal),
  );
  await writeAndUndo(guard);
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});

test.each([
  [404, 11],
  [500, 3],
])('tries again where one of two backends answers %i, and names what is left', async (status, times) => {
  let refusals = times;
  const { guard, journal } = guardWith(async () => answered(refusals-- > 0 ? status : 200));
  await writeAndUndo(guard);
  expect(guard.left).toEqual([]);
  refusals = Number.POSITIVE_INFINITY;
  await writeAndUndo(guard);
  expect(guard.left).toEqual([expect.stringMatching(`^label .*: DELETE removeConversationLabel: ${status}$`)]);
  expect(await journal.pending()).toHaveLength(1);
});

test('names a private label that was put on and could not be taken off', async () => {
  const label = deployment.tenant.privateLabels?.find(({ on }) => on?.length === 0)?.id ?? '';
  const { guard, journal } = guardWith(async () => answered(404));
  await writeAndUndo(guard, 200, { ...apply, label });
  expect(guard.left).toEqual([expect.stringMatching(`^label ${label} on .*: 404$`)]);
  expect(await journal.pending()).toHaveLength(1);
});

test.each([
  [404, []],
  [200, [expect.stringMatching(/^label .*: by the target file no key of \w+ may undo it: undo it by hand$/)]],
])('where nothing can take a label off, a write that was answered %i leaves %j', async (status, left) => {
  const { guard, journal } = guardWith(async () => answered(500), { deployment: withoutRemoval });
  await writeAndUndo(guard, status);
  expect(guard.left).toEqual(left);
  expect(await journal.pending()).toHaveLength(left.length);
});

test('only a label that does not exist may be put on where nothing can take it off', () => {
  const { guard } = guardWith(async () => answered(200), { deployment: withoutRemoval });
  const mayPutOn = (label: string) => guard.canUndo({ ...apply, label }, 'acme');
  expect([apply.label, apply.label.toUpperCase(), `{${apply.label}}`].map(mayPutOn)).toEqual([false, false, false]);
  expect(['469b502c-f974-4c77-9c02-ef30669655d7', 'no-uuid'].map(mayPutOn)).toEqual([true, true]);
});

test('takes a label off with a key that lacks the scope where every lawful key is refused', async () => {
  const { guard, journal } = guardWith(async ({ key }) =>
    answered(typeof key === 'object' && !key.scopes.includes('conversation:write') ? 200 : 403),
  );
  await writeAndUndo(guard);
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});

test('takes a label off though a firewall refuses removals for ten seconds', async () => {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const { guard } = guardWith(async () => answered(now < 10_000 ? 403 : 200), { now: () => now, sleep });
  await writeAndUndo(guard);
  expect(guard.left).toEqual([]);
});

test.each([
  ['after the others, so that a refused removal leaves nothing', 1, []],
  ['beside another write', 2, [expect.stringMatching(/^label .*: DELETE removeConversationLabel: 404$/)]],
])('a label was taken off by a removal that was served %s', async (_, writes, left) => {
  const { guard } = guardWith(async () => answered(404));
  for (let n = 0; n < writes; n++) await guard.before(apply, 'acme');
  guard.after(apply, 'acme', answered(200));
  guard.after({ ...apply, act: 'remove' }, 'acme', answered(200));
  await guard.settle(false);
  expect(guard.left).toEqual(left);
});
