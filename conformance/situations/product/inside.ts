import type { RuleId } from '../../../spec/rules.ts';
import { namesLabel } from '../../hooks/hook-call.ts';
import type { Generate } from '../../scripts/script.ts';
import { type Holder, holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { holdersOf, missingPrivates, privatesOf } from '../../target/records.ts';
import { labelScene } from '../labels/label-holder.ts';

const feeds: readonly RuleId[] = [
  'labels/private-never-in-a-reply',
  'labels/private-cannot-be-applied',
  'labels/private-cannot-be-removed',
];

/** The record as in paths of the API. */
const recordOf = (holder: Holder) =>
  holder.kind === 'link' ? `client/${holder.clientId}/site/${holder.siteId}` : `${holder.kind}/${holder.id}`;

/** Private labels are applied inside the product; then every reply about the holder could show them. */
export const privateInside: Generate = function* ({ tenant, operation }) {
  const hidden = privatesOf(tenant);
  const missing = missingPrivates(tenant);
  if (missing.length > 0) yield { id: 'product/private-label', feeds, missing };
  for (const known of holdersOf(tenant)) {
    const { holder, field, slug, words } = known;
    const absent = hidden.filter(({ on, complete }) => complete && !on.includes(field));
    if (absent.length === 0) continue;
    const record = recordOf(holder);
    const { apply, remove } = labelOperations[holder.kind];
    yield {
      id: `product/private-label/${slug}`,
      title: `a private label is applied to ${words} inside the product, and the record is read and labelled`,
      feeds,
      hooks: ['applyPrivateLabel', 'removePrivateLabel', 'showLabels'],
      uses: [apply, remove],
      locks: [holderKey(holder)],
      writes: 'labels',
      async run(scene) {
        const labels = await labelScene(scene, known);
        if (labels === null) return;
        const { write, spare, writers, readers } = labels;
        const reads =
          readers.length > 0 ? (['getConversation', 'getConversationContext'] as const) : (['getSite'] as const);
        const readAll = async () => {
          for (const id of holder.kind === 'link' ? [] : reads) {
            const [key] = keysWith(tenant, operation(id)?.scopes ?? []);
            if (key !== undefined && operation(id) !== undefined)
              await scene.send({ operation: id, params: holderParams(holder), key });
          }
        };
        const shown = await scene.hook('showLabels', { record });
        // A label that is there, whatever the target file says, would be lost when the hook takes it off again.
        const label = absent.find(({ id }) => !namesLabel(shown, id));
        if (label === undefined) return;
        await write('apply', label.id, writers[0]);
        await scene.hook('showLabels', { record });
        await scene.hook('applyPrivateLabel', { record, label: label.id });
        await scene.hook('showLabels', { record });
        await write('apply', spare.id, writers[0]);
        await readAll();
        // The hook can apply the label again, so nothing is at risk.
        await write('remove', label.id, writers.at(-1));
        await write('remove', spare.id, writers[0]);
        await scene.hook('showLabels', { record });
        await scene.hook('removePrivateLabel', { record, label: label.id });
        await readAll();
      },
    };
  }
};

/** The open conversation is closed with a label on it, labelled, and opened again. */
export const closing: Generate = function* ({ tenant }) {
  const rules: readonly RuleId[] = [
    'labels/closed-conversation-can-be-labelled',
    'labels/apply-adds',
    'labels/remove-removes',
  ];
  const record = holdersOf(tenant).find(({ slug }) => slug === 'open-conversation');
  if (record?.holder.kind !== 'conversation') {
    yield { id: 'product/closing', feeds: rules, missing: ['tenants[0].conversations.open'] };
    return;
  }
  const { holder } = record;
  yield {
    id: 'product/closing',
    title: 'a conversation that carries a label is closed and labelled, and opened again',
    feeds: rules,
    hooks: ['closeConversation', 'reopenConversation'],
    uses: ['applyConversationLabel', 'removeConversationLabel'],
    locks: [holderKey(holder)],
    writes: 'labels',
    async run(scene) {
      const labels = await labelScene(scene, record);
      if (labels === null) return;
      const { write, read, spare, second, writers } = labels;
      await write('apply', spare.id, writers[0]);
      await scene.hook('closeConversation', { id: holder.id });
      await read();
      if (second !== undefined) await write('apply', second.id, writers[0]);
      await write('remove', spare.id, writers.at(-1));
      await write('apply', spare.id, writers[0]);
      await write('remove', spare.id, writers[0]);
      await read();
      await scene.hook('reopenConversation', { id: holder.id });
      await read();
    },
  };
};
