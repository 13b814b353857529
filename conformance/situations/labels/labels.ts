import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import { succeeded } from '../../history/exchange.ts';
import type { Generate } from '../../scripts/script.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { keysFor } from '../../target/keys.ts';
import { holdersOf, missingPrivates, privatesOf, sparesOf, tenantsOf } from '../../target/records.ts';
import { createBarrier } from '../asking/barrier.ts';
import { unneededBody, unusualWays } from '../asking/spellings.ts';
import { allLabels } from './all-labels.ts';
import { onHolders } from './label-holder.ts';

const membership: readonly RuleId[] = [
  'labels/apply-adds',
  'labels/apply-is-idempotent',
  'labels/remove-removes',
  'labels/remove-is-idempotent',
  'labels/membership-is-a-set',
];

/** All transitions of one label, written and read in turn with two keys: the one with the fewest scopes and the one with the most. */
const life: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'life',
    ofBoth: true,
    title: (words) => `a label is applied to ${words} twice and removed twice, by two keys in turn`,
    feeds: membership,
    async run({ spare, second, write, read, writers, readers }) {
      const [narrow] = writers;
      const wide = writers.at(-1);
      await write('remove', spare.id, narrow);
      await write('apply', spare.id, narrow);
      const shown = await read(readers.at(-1) ?? narrow);
      await write('apply', spare.id, wide);
      await read(readers[0] ?? narrow);
      if (second !== undefined && readers.length > 0) {
        await write('apply', second.id, narrow);
        // The reply to the first write of this label must not be shown again.
        await write('apply', spare.id, wide);
      }
      await write('remove', spare.id, narrow);
      await read(readers[0] ?? narrow);
      await write('remove', spare.id, wide);
      await read(readers.at(-1) ?? narrow);
      // Again with the keys exchanged: a write may work only once, or only with one key.
      await write('apply', spare.id, wide);
      await read(readers[0] ?? narrow);
      await write('apply', spare.id, narrow);
      await write('remove', spare.id, wide);
      await write('remove', spare.id, narrow);
      await read(readers.at(-1) ?? narrow, shown);
      if (second !== undefined) await write('remove', second.id, narrow);
    },
  });

/** How often records of each kind get two applies, and two removals, at the same time: a fault may show now and then only. */
const timesAtOnce = 3;

/** Two keys write two labels at the same time. */
const together: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'two-at-once',
    title: (words) => `two keys apply two labels to ${words} at the same time, and remove them`,
    feeds: membership,
    spares: 2,
    async run({ holder: { holder }, spare, second, write, read, writers }) {
      if (second === undefined) return;
      const keys = [writers[0], writers.at(-1)] as const;
      const alike = holdersOf(deployment.tenant).filter((one) => one.holder.kind === holder.kind);
      for (let time = 0; time < timesAtOnce / alike.length; time++) {
        const [one, other] = time % 2 === 0 ? keys : keys.toReversed();
        await Promise.all([write('apply', spare.id, one), write('apply', second.id, other)]);
        await read(one);
        // The first label is removed last, because a read may be a write of the second label.
        await Promise.all([write('remove', second.id, other), write('remove', spare.id, one)]);
        await read(one);
      }
      const [one, other] = keys;
      await Promise.all([write('apply', spare.id, other), write('remove', second.id, one)]);
      await read(one);
    },
  });

const [writersAtOnce, maxSpares] = [8, 12] as const;

/** Eight concurrent writes, first of one label, then of two labels if there are two. */
const eight: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'eight-at-once',
    title: (words) =>
      `eight requests apply the same label to ${words} at the same time and remove it, and then two labels`,
    feeds: membership,
    // One holder at a time: the keys have a burst for eight requests, but not for all holders.
    locks: ['eight at once'],
    async run({ spare, second, write, read, writers }, { sleep }) {
      for (const last of [spare, ...(second ? [second] : [])])
        for (const act of ['apply', 'remove'] as const) {
          const barrier = createBarrier(writersAtOnce, sleep);
          const label = (i: number) => (i % 2 === 0 ? spare : last);
          await Promise.all(
            Array.from({ length: writersAtOnce }, (_, i) =>
              write(act, label(i).id, writers[(i >> 1) % writers.length], barrier),
            ),
          );
          await read(writers[0]);
        }
    },
  });

/** All spare labels at once: a reply that shows only the first few of them is not the full set. */
const many: Generate = function* (deployment) {
  const spares = sparesOf(deployment.tenant).slice(0, maxSpares);
  if (spares.length > 2)
    yield* onHolders(deployment, {
      kind: 'many',
      title: (words) => `${spares.length} labels are applied to ${words}, read, and removed`,
      feeds: membership,
      spares: 2,
      async run({ write, read, writers }) {
        for (const act of ['apply', 'remove'] as const) {
          for (const [i, { id }] of spares.entries()) await write(act, id, writers[i % writers.length]);
          await read(writers[0]);
        }
      },
    });
};

/**
 * A label id in upper case is the same UUID. A deployment may refuse it, but must not treat it as another label. The same goes for writes with
 * what they do not need.
 */
const spelling: Generate = (deployment) =>
  onHolders(deployment, {
    kind: 'upper-case-id',
    title: (words) =>
      `a label is applied to ${words} and removed by its id in upper case, and with headers, a query and a body that it does not need`,
    feeds: ['labels/membership-is-a-set'],
    async run({ holder: { holder, slug }, spare, read, writers }, { send, deployment }) {
      const [key] = writers;
      if (key === undefined) return;
      const { apply, remove } = labelOperations[holder.kind];
      const params = holderParams(holder, spare.id);
      const upper = { params: holderParams(holder, spare.id.toUpperCase()), twist: 'label-id/upper-case' };
      const [headers, address] = unusualWays(key.secret);
      // Many clients send a Content-Type where there is no body.
      const typed = { ...headers, headers: { ...headers.headers, 'content-type': 'application/json' } };
      const ways = [typed, { ...address, ...unneededBody }];
      // Each way applies the labels of every second record, and removes those of the others.
      if (holdersOf(deployment.tenant).findIndex((one) => one.slug === slug) % 2 === 1) ways.reverse();
      await send({ operation: apply, params, key, ...ways[0] });
      await read(key);
      await send({ operation: apply, ...upper });
      await send({ operation: remove, params, key, ...ways[1] });
      await read(key);
      await send({ operation: remove, ...upper });
    },
  });

/** For deployments without the apply operation: the removal of a label that is not carried changes nothing and shows the set. */
const removing: Generate = function* (deployment) {
  const [spare] = sparesOf(deployment.tenant);
  for (const { holder, slug, words } of holdersOf(deployment.tenant)) {
    const { apply, remove } = labelOperations[holder.kind];
    if (spare === undefined || deployment.operation(apply) !== undefined) continue;
    yield {
      id: `labels/only-removing/${slug}`,
      title: `a label is removed twice from ${words}, which does not carry it`,
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

/** Writes of labels that must fail: private labels, labels that do not exist, malformed ids. */
const impossible: Generate = function* (deployment) {
  const { tenant } = deployment;
  const hidden = privatesOf(tenant);
  const feeds: readonly RuleId[] = [
    'labels/private-cannot-be-applied',
    // Only where the target file says which records carry it.
    ...(hidden.length === 0 || hidden.some(({ complete }) => complete)
      ? (['labels/private-cannot-be-removed'] as const)
      : []),
    'labels/private-never-in-a-reply',
  ];
  const accepting = new Set<string>();
  const missing = missingPrivates(tenant);
  if (missing.length > 0) yield { id: 'labels/impossible', feeds, missing };
  yield* onHolders(deployment, {
    kind: 'impossible',
    title: (words) => `private labels, unknown labels and malformed ids are applied to ${words} and removed`,
    feeds,
    // One holder at a time: once a private label was accepted, no further ones are applied.
    locks: ['private labels'],
    async run({ holder: { field, holder }, spare, write, read, writers }, { newId }) {
      await write('apply', spare.id, writers[0]);
      await read(writers[0]);
      const carriedFirst = hidden.toSorted((a, b) => Number(b.on.includes(field)) - Number(a.on.includes(field)));
      for (const [index, { id, on, complete }] of carriedFirst.entries()) {
        const carried = on.includes(field);
        // If it is not known whether the holder carries the label, a change could not be undone.
        if (!carried && !complete) continue;
        if (!accepting.has(holder.kind)) {
          for (const written of new Set([id, id.toUpperCase()])) {
            const applied = await write('apply', written, writers[index % writers.length]);
            if (succeeded(applied)) accepting.add(holder.kind);
          }
        }
        // The removal of a private label that is carried needs --allow-risk, see below.
        if (carried) continue;
        await write('remove', id, writers[(index + 1) % writers.length]);
        // Read before the next write, so that the cause of a change is certain.
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
    title: `a private label that ${holder.words} carries is removed`,
    feeds: ['labels/private-cannot-be-removed'],
    uses: [remove],
    writes: 'risk',
    async run({ send }) {
      await send({ operation: remove, params: holderParams(holder.holder, first.id) });
    },
  };
};

/** Reads of the list of labels and of all contexts. */
const reading: Generate = function* () {
  yield {
    id: 'labels/list',
    title: 'every kind of key lists the labels',
    feeds: ['labels/listing-gives-public-labels', 'labels/record-is-id-and-name', 'labels/private-never-in-a-reply'],
    uses: ['listLabels'],
    async run({ send, sleep, deployment }) {
      const keys = keysFor(deployment, 'listLabels');
      for (const key of new Set([keys[0], keys.at(-1)])) {
        if (key !== undefined) await allLabels({ send }, key, sparesOf(deployment.tenant));
        // What records carried when the run began has settled by now.
        await sleep(deployment.settleMilliseconds);
      }
      // An undocumented parameter with one of these names may show private labels.
      const query = '?includePrivate=true&include=private&visibility=all&private=true&all=true';
      await send({ operation: 'listLabels', query, twist: 'query/private' });
    },
  };
  yield {
    id: 'labels/contexts',
    title: 'the contexts of all conversations are read by their own tenants, in turn and at the same time',
    feeds: ['labels/private-never-in-a-reply'],
    uses: ['getConversationContext'],
    async run({ send, deployment }) {
      const asks = tenantsOf(deployment).flatMap((one) =>
        holdersOf(one).flatMap(({ holder }): Ask[] => {
          const [key] = keysFor(deployment, 'getConversationContext', one);
          if (holder.kind !== 'conversation' || key === undefined) return [];
          return [{ operation: 'getConversationContext', params: { id: holder.id }, key }];
        }),
      );
      for (const ask of asks) await send(ask);
      // Concurrent requests must not get parts of each other's replies.
      await Promise.all(asks.map((ask) => send(ask)));
    },
  };
};

export const labels: Generate = function* (deployment) {
  for (const generate of [reading, life, together, eight, many, spelling, removing, impossible])
    yield* generate(deployment);
};
