import type { RuleId } from '../../../spec/rules.ts';
import { succeeded } from '../../history/exchange.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { holdersOf, privatesOf, sparesOf } from '../../target/records.ts';
import type { Ask, Generate } from '../asking/situation.ts';
import { allLabels } from './all-labels.ts';
import { onHolders } from './label-holder.ts';

const membership: readonly RuleId[] = [
  'labels/apply-adds',
  'labels/apply-is-idempotent',
  'labels/remove-removes',
  'labels/remove-is-idempotent',
  'labels/membership-is-a-set',
];

/** The whole life of a label, by a key that may do just this and by one that may do all; read at rest by one and the other in turn. */
const life: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'life',
    ofBoth: true,
    title: (words) => `a label is put on ${words} twice and taken off twice, by two keys in turn`,
    feeds: membership,
    async run({ spare, second, write, read, writers, readers }) {
      const [narrow] = writers;
      const wide = writers.at(-1);
      await write('remove', spare.id, narrow);
      await write('apply', spare.id, narrow);
      await read(readers.at(-1) ?? narrow);
      await write('apply', spare.id, wide);
      await read(readers[0] ?? narrow);
      if (second !== undefined && readers.length > 0) await write('apply', second.id, narrow);
      await write('remove', spare.id, narrow);
      await read(readers[0] ?? narrow);
      await write('remove', spare.id, wide);
      await read(readers.at(-1) ?? narrow);
      // Once more, the other way about: what works once may not work again, nor for the other key.
      await write('apply', spare.id, wide);
      await read(readers[0] ?? narrow);
      await write('apply', spare.id, narrow);
      await write('remove', spare.id, wide);
      await write('remove', spare.id, narrow);
      await read(readers.at(-1) ?? narrow);
      if (second !== undefined) await write('remove', second.id, narrow);
    },
  });

/** Two keys put two labels on at once, and take them off at once. */
const together: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'two-at-once',
    title: (words) => `two keys put two labels on ${words} at the same time, and take them off`,
    feeds: membership,
    spares: 2,
    async run({ spare, second, write, read, writers }) {
      if (second === undefined) return;
      const [one] = writers;
      const other = writers.at(-1);
      await Promise.all([write('apply', spare.id, one), write('apply', second.id, other)]);
      await read(one);
      // The other one last: what is read by a write of the second label shows the first.
      await Promise.all([write('remove', second.id, other), write('remove', spare.id, one)]);
      await read(one);
      await Promise.all([write('apply', spare.id, other), write('remove', second.id, one)]);
      await read(one);
    },
  });

const writersAtOnce = 8;

/** Eight writers put labels on at once and take them off at once: first the same label, then, where there are two, one or the other. */
const eight: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'eight-at-once',
    title: (words) =>
      `eight requests put the same label on ${words} at the same time and take it off, and then two labels`,
    feeds: membership,
    async run({ spare, second, write, read, writers }) {
      for (const labels of [[spare], ...(second ? [[spare, second]] : [])])
        for (const act of ['apply', 'remove'] as const) {
          await Promise.all(
            Array.from({ length: writersAtOnce }, (_, i) =>
              write(act, (labels[i % labels.length] ?? spare).id, writers[(i >> 1) % writers.length]),
            ),
          );
          await read(writers[0]);
        }
    },
  });

/** A label id in upper case is the same UUID; whether it is taken for it is the deployment's business, what it does then is not. */
const spelling: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'upper-case-id',
    title: (words) => `a label is put on ${words} under its id in upper case, and taken off under the other`,
    feeds: ['labels/membership-is-a-set'],
    async run({ holder: { holder }, spare, write, read, writers }, { send }) {
      const upper = spare.id.toUpperCase();
      if (upper === spare.id) return;
      const twist = 'label-id/upper-case';
      const params = holderParams(holder, upper);
      await send({ operation: labelOperations[holder.kind].apply, params, twist });
      await write('apply', spare.id, writers[0]);
      await send({ operation: labelOperations[holder.kind].remove, params, twist });
      await write('remove', spare.id, writers[0]);
      await read(writers[0]);
    },
  });

/** Where only removing is possible, removing what is not carried shows the set and changes nothing. */
const removing: Generate = function* (deployment) {
  const [spare] = sparesOf(deployment.tenant);
  for (const { holder, slug, words } of holdersOf(deployment.tenant)) {
    const { apply, remove } = labelOperations[holder.kind];
    if (spare === undefined || deployment.operation(apply) !== undefined) continue;
    yield {
      id: `labels/only-removing/${slug}`,
      title: `a label that ${words} does not carry is taken off twice`,
      feeds: [
        'labels/remove-is-idempotent',
        ...(remove === 'removeClientSiteLabel' ? (['labels/link-remove'] as const) : []),
      ],
      uses: [remove],
      locks: [holderKey(holder)],
      writes: 'labels',
      async run({ send }) {
        for (let time = 0; time < 2; time++) await send({ operation: remove, params: holderParams(holder, spare.id) });
      },
    };
  }
};

/** What cannot be put on or taken off: private labels, labels that nobody has, ids that are none. */
const impossible: Generate = function* (deployment) {
  const { tenant } = deployment;
  const feeds: readonly RuleId[] = [
    'labels/private-cannot-be-applied',
    'labels/private-cannot-be-removed',
    'labels/private-never-in-a-reply',
  ];
  const hidden = privatesOf(tenant);
  const accepting = new Set<string>();
  if (hidden.length === 0) yield { id: 'labels/impossible', feeds, missing: ['tenants[0].privateLabel'] };
  yield* onHolders(deployment, {
    kind: 'impossible',
    title: (words) =>
      `labels that cannot be are put on ${words} and taken off: private ones, unknown ones, ids that are none`,
    feeds,
    // One holder after the other: where a private label is accepted, no more of them are tried.
    locks: ['private labels'],
    async run({ holder: { field, holder }, spare, write, read, writers }, { newId }) {
      await write('apply', spare.id, writers[0]);
      await read(writers[0]);
      const carriedFirst = hidden.toSorted((a, b) => Number(b.on.includes(field)) - Number(a.on.includes(field)));
      for (const [index, { id, on, complete }] of carriedFirst.entries()) {
        const carried = on.includes(field);
        // What nobody knows to be there can be neither put on nor taken off: it could not be put right again.
        if (!carried && !complete) continue;
        if (!accepting.has(holder.kind)) {
          const applied = await write('apply', id, writers[index % writers.length]);
          if (succeeded(applied)) accepting.add(holder.kind);
        }
        // What is carried is taken off only where a loss is allowed.
        if (carried) continue;
        await write('remove', id, writers[(index + 1) % writers.length]);
        // Before the next write, so that what is amiss is this one's doing.
        await read(writers[0]);
      }
      const unknown = newId();
      await write('apply', unknown, writers.at(-1));
      await write('remove', unknown, writers[0]);
      await write('apply', 'no-uuid', writers[0]);
      await write('remove', 'no-uuid', writers[0]);
      await read(writers[0]);
      await write('remove', spare.id, writers[0]);
    },
  });
  const [first] = hidden.filter(({ on }) => on.length > 0);
  const holder = holdersOf(tenant).find(({ field }) => first?.on.includes(field));
  if (first === undefined || holder === undefined) return;
  const { remove } = labelOperations[holder.holder.kind];
  yield {
    id: `labels/private-carried/${holder.slug}`,
    title: `a private label that ${holder.words} carries is taken off`,
    feeds: ['labels/private-cannot-be-removed'],
    uses: [remove],
    writes: 'risk',
    async run({ send }) {
      await send({ operation: remove, params: holderParams(holder.holder, first.id) });
    },
  };
};

/** What every key sees of the labels and of the conversations of both tenants. */
const reading: Generate = function* ({ tenant, stranger }) {
  yield {
    id: 'labels/list',
    title: 'every kind of key lists the labels',
    feeds: ['labels/listing-gives-public-labels', 'labels/record-is-id-and-name', 'labels/private-never-in-a-reply'],
    uses: ['listLabels'],
    async run({ send, deployment }) {
      const keys = keysWith(deployment.tenant, deployment.operation('listLabels')?.scopes ?? []);
      for (const key of new Set([keys[0], keys.at(-1)])) {
        if (key !== undefined) await allLabels({ send }, key, sparesOf(deployment.tenant));
      }
      // What nobody describes may still be there, under one of these names.
      const query = '?includePrivate=true&include=private&visibility=all&private=true&all=true';
      await send({ operation: 'listLabels', query, twist: 'query/private' });
    },
  };
  yield {
    id: 'labels/contexts',
    title: 'the contexts of all conversations are read by their own tenants, in turn and at once',
    feeds: ['labels/private-never-in-a-reply'],
    uses: ['getConversationContext'],
    async run({ send, deployment }) {
      const scopes = deployment.operation('getConversationContext')?.scopes ?? [];
      const asks = [tenant, ...(stranger ? [stranger] : [])].flatMap((one) =>
        holdersOf(one).flatMap(({ holder }): Ask[] => {
          const [key] = keysWith(one, scopes);
          if (holder.kind !== 'conversation' || key === undefined) return [];
          return [{ operation: 'getConversationContext', params: { id: holder.id }, key }];
        }),
      );
      for (const ask of asks) await send(ask);
      // At once as well: what is kept of one request must not go into the reply to another.
      await Promise.all(asks.map((ask) => send(ask)));
    },
  };
};

export const labels: Generate = function* (deployment) {
  for (const generate of [reading, life, together, eight, spelling, removing, impossible]) yield* generate(deployment);
};
