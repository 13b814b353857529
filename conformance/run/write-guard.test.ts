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

/** A guard whose removals wait until the test releases them. */
function waitingGuard(options?: { readonly journal: WriteJournal }) {
  const removal = Promise.withResolvers<Exchange>();
  const sent = Promise.withResolvers<Ask>();
  const made = guardWith((ask) => {
    sent.resolve(ask);
    return removal.promise;
  }, options);
  return { ...made, removal, sent: sent.promise };
}

/** A script applies a label, which is answered so, and undoes it. */
async function writeAndUndo(guard: ReturnType<typeof createWriteGuard>, script: string, status = 200, write = apply) {
  await guard.before(write, 'acme', script);
  guard.after(write, 'acme', answered(status));
  await guard.undo(script);
}

test('keeps an entry in the journal that another script writes while it is being undone', async () => {
  const { guard, journal, removal, sent } = waitingGuard();
  await guard.before(apply, 'acme', 'first');
  guard.after(apply, 'acme', answered(200));
  const back = guard.undo('first');
  await sent;
  await guard.before(apply, 'acme', 'second');
  removal.resolve(answered(200));
  await back;
  expect(await journal.pending()).toHaveLength(1);
  guard.after(apply, 'acme', answered(200));
  await guard.undo('second');
  expect(await journal.pending()).toEqual([]);
});

test('lets no write pass before its entry is journaled, also if another script journals it first', async () => {
  const flushed = Promise.withResolvers<void>();
  const { guard } = waitingGuard({ journal: { ...memoryJournal(), borrowed: () => flushed.promise } });
  let opened = 0;
  const both = ['first', 'second'].map((script) => guard.before(apply, 'acme', script).then(() => opened++));
  for (let turn = 0; turn < 10; turn++) await null;
  expect(opened).toBe(0);
  flushed.resolve();
  await Promise.all(both);
  expect(opened).toBe(2);
});

test.each([500, 429])('undoes a write once more at the end where the removal was answered %i', async (status) => {
  const replies = [status, 200];
  const { guard, journal } = guardWith(async () => answered(replies.shift() ?? 500));
  await writeAndUndo(guard, 'first');
  expect(await journal.pending()).toHaveLength(1);
  await guard.settle();
  expect(replies).toEqual([]);
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});

test('undoes a label once at the end, though two scripts could not undo it', async () => {
  const replies = [429, 429, 200];
  const { guard, journal } = guardWith(async () => answered(replies.shift() ?? 500));
  for (const script of ['first', 'second']) await writeAndUndo(guard, script);
  await guard.settle();
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});

test.each([
  ['a private label', deployment.tenant.privateLabels?.find(({ on }) => on?.length === 0)?.id],
  ['a label that the run made up', '469b502c-f974-4c77-9c02-ef30669655d7'],
])('takes %s as not applied if its write was not answered and its removal is refused', async (_, label = '') => {
  const { guard, journal } = guardWith(async () => answered(404));
  await writeAndUndo(guard, 'first', 500, { ...apply, label });
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
  await writeAndUndo(guard, 'first');
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});

test('tries again at the end where one of two backends refuses, and names what is left once', async () => {
  let refusals = 11;
  const { guard, journal } = guardWith(async () => answered(refusals-- > 0 ? 404 : 200));
  for (const script of ['first', 'second']) await writeAndUndo(guard, script);
  await guard.settle();
  expect(guard.left).toEqual([]);
  refusals = Number.POSITIVE_INFINITY;
  for (const script of ['first', 'second']) await writeAndUndo(guard, script);
  await guard.settle();
  expect(guard.left).toEqual([expect.stringMatching(/^label .*: DELETE removeConversationLabel: 404$/)]);
  expect(await journal.pending()).toHaveLength(1);
});

test('names a private label that was put on and could not be taken off', async () => {
  const label = deployment.tenant.privateLabels?.find(({ on }) => on?.length === 0)?.id ?? '';
  const { guard, journal } = guardWith(async () => answered(404));
  await writeAndUndo(guard, 'first', 200, { ...apply, label });
  await guard.settle();
  expect(guard.left).toEqual([expect.stringMatching(`^label ${label} on .*: 404$`)]);
  expect(await journal.pending()).toHaveLength(1);
});

test.each([
  [404, []],
  [200, [expect.stringMatching(/^label .*: the target file sets removeConversationLabel to null: undo it by hand$/)]],
])('where nothing can take a label off, a write that was answered %i leaves %j', async (status, left) => {
  const { guard, journal } = guardWith(async () => answered(500), { deployment: withoutRemoval });
  await writeAndUndo(guard, 'first', status);
  await guard.settle();
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
  await writeAndUndo(guard, 'first');
  expect(guard.left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});
