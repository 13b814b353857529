import { expect, test } from 'vitest';
import { applying, shownAfter } from '../../mock/wrong/tampering/label-write.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from '../run/run.ts';
import { leftoversIn, leftoverTitle } from './leftovers.ts';

const { target } = await virtualMock();
const spare = target.tenants[0]?.spareLabel ?? { id: '' };
const conversation = target.tenants[0]?.conversations?.open ?? '';

/** A read of the open conversation that shows these labels after the write that is under test. */
const read = (labels: readonly string[], carries: readonly string[], part: 'learn' | 'look'): Exchange =>
  ({
    n: 1,
    operation: 'getConversationContext',
    params: { id: conversation },
    status: 200,
    body: JSON.stringify({ labels }),
    step: { record: `acme conversation ${conversation}`, carries, part, rule: null },
  }) as unknown as Exchange;

const learning = [read(['vip'], [], 'learn'), read(['vip', 'spare'], [spare.id], 'learn'), read(['vip'], [], 'learn')];
const leftAfter = (labels: readonly string[], left: readonly string[] = []) =>
  leftoversIn({ known: { target }, left, exchanges: [...learning, read(labels, [], 'look')] } as unknown as History);

test.each([
  [['vip'], null],
  [['vip', 'spare'], `label ${spare.id} on conversation ${conversation} of acme: take it off by hand`],
  [[], /^label vip missing from .*: put it back by hand, unless somebody else took it off \(/],
  [['vip', 'new'], /^label new on .*: take it off by hand, unless somebody else put it on \(/],
])('where the last reply shows %j', (labels, left) => {
  expect(leftAfter(labels)).toEqual(left === null ? [] : [expect.stringMatching(left)]);
});

test('a private label is not missing where the product shows that removals leave such labels there', () => {
  const missing = `label p missing from conversation ${conversation} of acme: PUT applyConversationLabel: 404`;
  const record = `conversation/${conversation}`;
  const show = (shown: string, at: number) => ({
    ...{
      hook: 'showLabels',
      script: 's',
      input: { record },
      output: [shown],
      failure: null,
      startedAt: at,
      doneAt: at,
    },
  });
  const facts = {
    operation: 'removeConversationLabel',
    caller: 'valid',
    owner: 'ours',
    label: 'private',
    mutation: null,
  };
  const removal = {
    ...{ operation: facts.operation, facts, script: 's', status: 200, sentAt: 2, doneAt: 2, key: 'acme/full' },
    ...{ params: { id: conversation, labelId: 'p' }, url: 'http://x/', requestHeaders: {}, headers: {}, paced: true },
  };
  const leftOf = (after: string, times: number) => {
    const windows = Array.from({ length: times }, (_, i) => [
      ...[{ ...removal, n: i + 1, script: `${i}` }],
      ...[show('p', 1), show(after, 3), show(after, 4)].map((one) => ({ ...one, script: `${i}` })),
    ]);
    const exchanges = windows.flatMap(([one]) => one ?? []);
    const hooks = windows.flatMap(([, ...calls]) => calls);
    return leftoversIn({ known: { target }, left: [missing], exchanges, hooks } as unknown as History);
  };
  expect([leftOf('p', 1), leftOf('', 1), leftOf('p', 0)]).toEqual([[], [missing], [missing]]);
});

test('a run that was cut off names what it could not undo, not what it undid after the last look', () => {
  const exchanges = [...learning, read(['vip', 'spare'], [spare.id], 'look')];
  const params = { id: conversation, labelId: spare.id.toUpperCase() };
  const undo = { operation: 'removeConversationLabel', params, key: 'acme/full', status: 200 } as unknown as Exchange;
  const leftOf = (...more: readonly Exchange[]) =>
    leftoversIn({ known: { target }, left: ['label b'], exchanges: [...exchanges, ...more] } as unknown as History);
  expect(leftOf(undo)).toEqual(['label b']);
  for (const other of [
    { ...undo, key: 'globex/full' },
    { ...undo, status: 500 },
  ])
    expect(leftOf(other)).toHaveLength(2);
  expect(leftoversIn({ known: { target }, left: [], exchanges: [undo, ...exchanges] } as never)).toHaveLength(1);
});

test('what the journal has is named once, with the command that undoes it', () => {
  const known = `label ${spare.id} on conversation ${conversation} of acme: DELETE removeConversationLabel: 500`;
  expect(leftAfter(['vip', 'spare'], [known])).toEqual([known]);
  expect(leftoverTitle([known], 'my target.yaml')).toMatch(
    /mend the removal that is refused, then undo .*partnerkit conformance cleanup --target 'my target.yaml'`$/,
  );
  const lost = known.replace(': 500', ': no reply in time');
  expect(leftoverTitle([lost], 'target.yaml')).toMatch(/^Left behind: 1 label; undo what .* --target target.yaml`$/);
});

test('labels that a deployment loses are named', async () => {
  const { history, changed } = await tryDefect(
    {
      id: 'test',
      rule: 'labels/apply-adds',
      does: 'test',
      around: shownAfter(
        applying('conversation'),
        ({ tenant, holder, label }) => label && tenant.setLabels(holder, [label.id]),
      ),
    },
    { rules: new Set(['labels/remove-removes'] as const) },
  );
  expect(changed.length).toBeGreaterThan(0);
  expect(leftoversIn(history).join('\n')).toMatch(/^label \S+.* missing from conversation \S+ of acme/m);
});

test('spare labels that a deployment puts on other records are taken off at the end', async () => {
  const { environment, mock, target: file } = await virtualMock({ latency: () => 40 });
  const put = `/v1/conversation/${conversation}/label/${spare.id}`;
  const key = file.tenants[0]?.keys.find(({ name }) => name === 'full')?.secret ?? '';
  const send = environment.send;
  let writes = 0;
  const meddling: typeof environment = {
    ...environment,
    async send(request, options) {
      const reply = await send(request, options);
      if (request.method !== 'GET' && ++writes % 40 === 0)
        await send({ method: 'PUT', url: `${file.baseUrl}${put}`, headers: { 'x-api-key': key }, body: null }, options);
      return reply;
    },
  };
  const history = await gather(file, { environment: meddling, journal: memoryJournal(), kit: 'test' });
  expect(writes).toBeGreaterThan(40);
  expect(leftoversIn(history)).toEqual([]);
  const { tenants } = await mock.snapshot();
  expect(tenants.flatMap(({ labels }) => labels)).toEqual([]);
});
