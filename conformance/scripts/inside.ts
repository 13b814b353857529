/** What hooks of the target file do inside the product: private labels are put on records and taken off, a conversation is closed and opened. */
import type { RuleId } from '../../spec/rules.ts';
import { valid } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import type { RecordUnderTest } from '../experiments/record.ts';
import { examine } from '../experiments/trial.ts';
import { write } from '../experiments/write.ts';
import { namesLabel } from '../history/hook-call.ts';
import { keysFor } from '../target/deployment.ts';
import type { Holder, LabelAct } from '../target/holder.ts';
import { holdersOf, missingPrivates, type NamedLabel, privatesOf } from '../target/records.ts';
import { errandsOf } from './lawful.ts';
import { type Generate, onRecord } from './script.ts';

const tries: readonly RuleId[] = [
  'labels/private-never-in-a-reply',
  'labels/private-cannot-be-applied',
  'labels/private-cannot-be-removed',
];

/** The record as in paths of the API. */
const pathOf = (holder: Holder) =>
  holder.kind === 'link' ? `client/${holder.clientId}/site/${holder.siteId}` : `${holder.kind}/${holder.id}`;

type Send = (b: Bench) => Promise<unknown>;

/** Sends what must not change a private label, and asks the product before and after. What changed is undone and tried again, beside asking alone. */
async function inVain(b: Bench, input: { record: string; label: string }, rule: RuleId, send: Send): Promise<void> {
  const show = async () => namesLabel(await b.scene.hook('showLabels', { record: input.record }), input.label);
  const isChanged = async (bench: Bench, act: Send) => {
    const before = await show();
    await act(bench);
    const after = await show();
    if (after !== before) await b.scene.hook(before ? 'applyPrivateLabel' : 'removePrivateLabel', input);
    return after !== before;
  };
  if ((await isChanged(b, send)) && !b.scene.planning)
    await examine(b, {
      rule,
      sign: 'inside',
      script: (alone) => isChanged(alone, send),
      control: (alone) => isChanged(alone, (bench) => bench.pause()),
    });
}

/** Everything that can be read of a record. */
async function readAll(b: Bench, record: RecordUnderTest) {
  for (const { operation, place } of errandsOf(b.deployment, record.tenant)) {
    const [key] = keysFor(b.deployment, operation, record.tenant);
    if (key && place.params.id === record.place.params.id) await b.send({ operation, place, who: valid(key) });
  }
}

async function privateOn(b: Bench, record: RecordUnderTest, spare: string, absent: readonly NamedLabel[]) {
  const path = pathOf(record.known.holder);
  const shown = await b.scene.hook('showLabels', { record: path });
  // A label that is there, whatever the target file says, would be lost when the hook takes it off again.
  const label = absent.find(({ id }) => !namesLabel(shown, id))?.id;
  if (label === undefined) return;
  const input = { record: path, label };
  // UUIDs have no case, but whoever compares them may see one.
  const hidden = (act: LabelAct) => async (bench: Bench) => {
    for (const id of [label, label.toUpperCase()])
      await bench.send(record.request(bench, act, id, { kind: 'private' }));
  };
  await inVain(b, input, 'labels/private-cannot-be-applied', hidden('apply'));
  await b.scene.hook('applyPrivateLabel', input);
  await inVain(b, input, 'labels/private-cannot-be-removed', hidden('remove'));
  await inVain(b, input, 'labels/private-cannot-be-removed', async (bench) => {
    for (const act of ['apply', 'apply', 'remove', 'remove'] as const) await record.write(bench, act, spare);
  });
  await readAll(b, record);
  await b.scene.hook('removePrivateLabel', input);
  await readAll(b, record);
}

async function closed(b: Bench, record: RecordUnderTest, id: string, x: string, y?: string) {
  await record.establish(b, new Set());
  await write(b, record, 'apply', x);
  await b.scene.hook('closeConversation', { id });
  record.isClosed = true;
  try {
    // What the product itself does to labels when it closes a conversation is open.
    await record.establish(b, new Set([x]));
    if (y !== undefined) await write(b, record, 'apply', y);
    for (const act of ['remove', 'apply', 'remove'] as const) await write(b, record, act, x);
  } finally {
    record.isClosed = false;
  }
  await b.scene.hook('reopenConversation', { id });
  await record.establish(b, new Set());
}

/** Scripts about what hooks do to records. */
export const insideScripts: Generate = function* ({ tenant }) {
  const hidden = privatesOf(tenant);
  const closing: readonly RuleId[] = ['labels/closed-conversation-can-be-labelled'];
  if (tenant.conversations?.open === undefined)
    yield { id: 'inside/closing', tries: closing, missing: ['tenants[0].conversations.open'] };
  const missing = missingPrivates(tenant);
  if (missing.length > 0) yield { id: 'inside/private-label', tries, missing };
  for (const known of holdersOf(tenant)) {
    const { holder, field, slug, words } = known;
    const absent = hidden.filter(({ on, complete }) => complete && !on.includes(field));
    if (absent.length > 0)
      yield onRecord(
        {
          id: `inside/private-label/${slug}`,
          title: `a private label is put on ${words} inside the product, and the record is read and labelled`,
          tries,
          hooks: ['applyPrivateLabel', 'removePrivateLabel', 'showLabels'],
        },
        known,
        tenant,
        (b, record, x) => privateOn(b, record, x, absent),
      );
    if (slug === 'open-conversation' && holder.kind === 'conversation')
      yield onRecord(
        {
          id: 'inside/closing',
          title: 'a conversation that carries a label is closed and labelled, and opened again',
          tries: closing,
          hooks: ['closeConversation', 'reopenConversation'],
        },
        known,
        tenant,
        (b, record, x, y) => closed(b, record, holder.id, x, y),
      );
  }
};
