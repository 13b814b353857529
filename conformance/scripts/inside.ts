/** What hooks of the target file do inside the product: private labels are put on records and taken off, a conversation is closed and opened. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { valid } from '../contract/request.ts';
import { Bench } from '../experiments/bench.ts';
import { shelfOf } from '../experiments/learn.ts';
import type { Scene } from '../experiments/scene.ts';
import type { Shelf } from '../experiments/shelf.ts';
import { examine } from '../experiments/trial.ts';
import { write } from '../experiments/write.ts';
import { namesLabel } from '../hooks/hook-call.ts';
import { type Holder, holderKey, type LabelAct, labelOperations } from '../target/holder.ts';
import { keysFor } from '../target/keys.ts';
import { holdersOf, type KnownHolder, missingPrivates, type NamedLabel, privatesOf } from '../target/records.ts';
import { readablesOf } from './reads.ts';
import type { Generate } from './script.ts';

const tries: readonly RuleId[] = [
  'labels/private-never-in-a-reply',
  'labels/private-cannot-be-applied',
  'labels/private-cannot-be-removed',
];

/** The record as in paths of the API. */
const recordOf = (holder: Holder) =>
  holder.kind === 'link' ? `client/${holder.clientId}/site/${holder.siteId}` : `${holder.kind}/${holder.id}`;

/**
 * Writes a private label, and asks the product before and after. If that has an effect, it is undone and tried again; the control only asks twice.
 */
async function writeInVain(b: Bench, shelf: Shelf, act: LabelAct, label: string): Promise<void> {
  const record = recordOf(shelf.known.holder);
  const show = async () => namesLabel(await b.scene.hook('showLabels', { record }), label);
  const undo = act === 'apply' ? 'removePrivateLabel' : 'applyPrivateLabel';
  const isChanged = async (bench: Bench, writes: boolean) => {
    const before = await show();
    if (writes) await bench.send(shelf.request(bench, act, label, { kind: 'private' }));
    else await bench.pause();
    const after = await show();
    if (after !== before) await b.scene.hook(undo, { record, label });
    return after !== before;
  };
  if ((await isChanged(b, true)) && !b.scene.planning)
    await examine(b, {
      rule: act === 'apply' ? 'labels/private-cannot-be-applied' : 'labels/private-cannot-be-removed',
      sign: 'inside',
      script: (alone) => isChanged(alone, true),
      control: (alone) => isChanged(alone, false),
    });
}

/** Everything that can be read of a record. */
async function readAll(b: Bench, shelf: Shelf) {
  for (const { operation, place } of readablesOf(b.deployment, shelf.tenant)) {
    const [key] = keysFor(b.deployment, operation, shelf.tenant);
    if (key && place.params.id === shelf.place.params.id) await b.send({ operation, place, who: valid(key) });
  }
}

async function privateOn(b: Bench, shelf: Shelf, absent: readonly NamedLabel[]) {
  const record = recordOf(shelf.known.holder);
  const shown = await b.scene.hook('showLabels', { record });
  // A label that is there, whatever the target file says, would be lost when the hook takes it off again.
  const label = absent.find(({ id }) => !namesLabel(shown, id))?.id;
  const [spare] = shelf.spares;
  if (label === undefined || spare === undefined) return;
  await writeInVain(b, shelf, 'apply', label);
  await b.scene.hook('applyPrivateLabel', { record, label });
  await writeInVain(b, shelf, 'remove', label);
  for (const act of ['apply', 'remove'] as const) await write(b, shelf, act, spare.id);
  await readAll(b, shelf);
  await b.scene.hook('removePrivateLabel', { record, label });
  await readAll(b, shelf);
}

async function closed(b: Bench, shelf: Shelf, id: string) {
  const [x, y] = shelf.spares;
  if (x === undefined) return;
  await shelf.establish(b, new Set());
  await write(b, shelf, 'apply', x.id);
  await b.scene.hook('closeConversation', { id });
  shelf.isClosed = true;
  try {
    // What the product itself does to labels when it closes a conversation is open.
    await shelf.establish(b, new Set([x.id]));
    if (y !== undefined) await write(b, shelf, 'apply', y.id);
    for (const act of ['remove', 'apply', 'remove'] as const) await write(b, shelf, act, x.id);
  } finally {
    shelf.isClosed = false;
  }
  await b.scene.hook('reopenConversation', { id });
  await shelf.establish(b, new Set());
}

/** A script on one record that can be read. */
function on(known: KnownHolder, tenant: TargetTenant, script: (b: Bench, shelf: Shelf) => Promise<void>) {
  const { apply, remove } = labelOperations[known.holder.kind];
  return {
    uses: [apply, remove],
    locks: [holderKey(known.holder)],
    writes: 'labels',
    async run(scene: Scene) {
      const b = new Bench(scene, scene.state);
      const shelf = await shelfOf(b, known, tenant);
      if (shelf.views.size > 0) await script(b, shelf);
    },
  } as const;
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
      yield {
        id: `inside/private-label/${slug}`,
        title: `a private label is put on ${words} inside the product, and the record is read and labelled`,
        tries,
        hooks: ['applyPrivateLabel', 'removePrivateLabel', 'showLabels'],
        ...on(known, tenant, (b, shelf) => privateOn(b, shelf, absent)),
      };
    if (slug === 'open-conversation' && holder.kind === 'conversation')
      yield {
        id: 'inside/closing',
        title: 'a conversation that carries a label is closed and labelled, and opened again',
        tries: closing,
        hooks: ['closeConversation', 'reopenConversation'],
        ...on(known, tenant, (b, shelf) => closed(b, shelf, holder.id)),
      };
  }
};
