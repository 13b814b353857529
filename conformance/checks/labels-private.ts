import { type Check, check } from '../check.ts';
import { counted } from '../counted.ts';
import { expectControl, expectThat, statusOf } from '../expect.ts';
import { membershipOf } from '../membership.ts';
import { Inconclusive, Unexpected } from '../outcome.ts';
import { type Reply, succeeded, valuesOf } from '../reply.ts';
import { sightings } from './canaries.ts';
import { errorCode, refusalPatch } from './error-body.ts';
import { labelHolders } from './label-holders.ts';
import { listedLabels } from './label-reader.ts';
import { contextOf, labelScene } from './label-scene.ts';
import { type NamedLabel, timesCarried } from './labels-in-reply.ts';
import { holderWords, writing } from './labels-membership.ts';
import type { LabelPlace } from './legal-calls.ts';

/** The holder that is declared to carry the private label. */
const carrier = 'open-conversation';

const needing = (place: LabelPlace) => ({
  ...writing(place),
  needs: [place.fact, 'spareLabel', 'privateLabel'] as const,
});

const applied = labelHolders.map((place) =>
  check({
    ...needing(place),
    id: `labels/private-apply/${place.slug}`,
    rule: 'labels/private-cannot-be-applied',
    title: `a private label cannot be applied to ${holderWords(place)}`,
    async run(context) {
      const { call, given, observe } = context;
      await (await labelScene(context, place)).carried();
      const { apply, remove, params } = membershipOf(place.holder(given), given.privateLabel.id);
      const reply = await call(apply, { params });
      if (reply.planned || !succeeded(reply)) {
        observe(`refused: ${reply.status} ${errorCode(reply) ?? ''}`.trim(), refusalPatch('private-label', reply));
        return;
      }
      // The conversation carried it before; of the others nobody has said so.
      const undone = place.slug === carrier ? null : await call(remove, { params });
      throw new Unexpected(
        'a private label cannot be applied',
        `${statusOf(reply)}; ${afterwards(undone, 'taken off')}`,
        { final: true },
      );
    },
  }),
);

const removed = labelHolders.map((place) =>
  check({
    ...needing(place),
    id: `labels/private-remove/${place.slug}`,
    rule: 'labels/private-cannot-be-removed',
    title: `a private label cannot be removed from ${holderWords(place)}`,
    async run(context) {
      const { call, given, observe } = context;
      const scene = await labelScene(context, place);
      await scene.carried();
      expectControl(await scene.remove(), 'removing a public label');
      const { apply, remove, params } = membershipOf(place.holder(given), given.privateLabel.id);
      const reply = await call(remove, { params });
      if (reply.planned || !succeeded(reply)) {
        observe(`refused: ${reply.status} ${errorCode(reply) ?? ''}`.trim());
        return;
      }
      const undone = place.slug === carrier ? await call(apply, { params }) : null;
      throw new Unexpected(
        'a private label cannot be removed',
        `${statusOf(reply)}; ${afterwards(undone, 'put back')}`,
        { final: true },
      );
    },
  }),
);

/** What the record may look like now, for the person who has to look after it. */
function afterwards(undone: Reply | null, how: string): string {
  if (undone === null) return 'look in the product whether the record carries the label as it should';
  return succeeded(undone)
    ? `it was ${how} again`
    : `it could not be ${how} again (${undone.status}): do so in the product`;
}

function expectHidden(reply: Reply, label: NamedLabel, where: string, names: ReadonlySet<string>): void {
  const texts = label.name === undefined || names.has(label.name) ? [] : [label.name];
  const times = timesCarried(reply, { id: label.id, texts });
  expectThat(reply, times === 0, `no private label in ${where}`, 'it is there');
}

/**
 * Names of public labels: one that a private label shares tells nothing. Where the spare label shows which property is
 * the name, only that one counts: beside it another label may be named.
 */
function publicNames({ json }: Reply, hidden: NamedLabel, spare?: NamedLabel): Set<string> {
  const records = [...valuesOf(json)].flatMap(([, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as Record<string, unknown>] : [],
  );
  const isOf = (record: Record<string, unknown>, { id }: NamedLabel) =>
    Object.values(record).some((value) => String(value).toLowerCase() === id.toLowerCase());
  const known = spare && records.find((record) => isOf(record, spare));
  const property = known && Object.keys(known).find((name) => spare.name !== undefined && known[name] === spare.name);
  const names = listedLabels({ json } as Reply).flatMap(({ id, texts }) =>
    id.toLowerCase() === hidden.id.toLowerCase() ? [] : texts,
  );
  if (property === undefined) return new Set(names);
  return new Set(records.flatMap((record) => (isOf(record, hidden) ? [] : String(record[property] ?? ''))));
}

const listed = check({
  id: 'labels/private-hidden/list',
  rule: 'labels/private-never-in-a-reply',
  title: 'the list of labels has no private label',
  needs: ['privateLabel', 'spareLabel'],
  uses: ['listLabels'],
  async run({ call, given }) {
    const list = await call('listLabels');
    expectControl(list, 'listing the labels');
    const names = publicNames(list, given.privateLabel, given.spareLabel);
    expectHidden(list, given.privateLabel, 'the list of labels', names);
  },
});

const inSets = labelHolders.map((place) =>
  check({
    ...needing(place),
    id: `labels/private-hidden/${place.slug}`,
    rule: 'labels/private-never-in-a-reply',
    title: `no label set of ${holderWords(place)}, nor its context, has the private label`,
    async run(context) {
      const { given, shared, call } = context;
      const list: Reply = await shared('label-reader/labels', () => call('listLabels'));
      const names = publicNames(list, given.privateLabel);
      const scene = await labelScene(context, place);
      const replies = [scene.before, await scene.carried(), await scene.remove()];
      for (const reply of replies)
        if (reply !== null && succeeded(reply)) expectHidden(reply, given.privateLabel, 'a label set', names);
      const told = await contextOf(context, place);
      if (told !== null) expectHiddenInContext(told, given.privateLabel, names);
    },
  }),
);

/** A name counts only where labels stand: a context is full of texts that may be the same word. */
function expectHiddenInContext(reply: Reply, { id, name }: NamedLabel, names: ReadonlySet<string>): void {
  for (const [path, value] of valuesOf(reply.json)) {
    const isName =
      value !== undefined && value === name && !names.has(name) && path.some((step) => /label/i.test(String(step)));
    const seen = isName || String(value).toLowerCase() === id.toLowerCase();
    expectThat(reply, !seen, 'no private label in the context', `it is at ${path.join('.')}`);
  }
}

/** Who guesses the id of a private label is not told its name. */
function expectUnnamed(reply: Reply, { id, name }: NamedLabel, names: ReadonlySet<string>): void {
  const asked = decodeURIComponent(reply.exchange.url).toLowerCase().includes(id.toLowerCase());
  if (!asked || reply.status < 400 || name === undefined || name.length < 5 || names.has(name)) return;
  const named = reply.text.toLowerCase().includes(name.toLowerCase());
  expectThat(reply, !named, 'a refusal that does not name the private label', statusOf(reply));
}

const anywhere = check({
  id: 'labels/private-hidden/every-reply',
  rule: 'labels/private-never-in-a-reply',
  title: 'no reply of the whole run has the id of the private label',
  needs: ['privateLabel', 'openConversation'],
  uses: ['getConversationContext', 'listLabels'],
  after: 'everything',
  async run({ call, given, replies, shared, observe }) {
    const list: Reply = await shared('label-reader/labels', () => call('listLabels'));
    const names = publicNames(list, given.privateLabel);
    const context = await call('getConversationContext', { params: { id: given.openConversation } });
    expectControl(context, 'the context of the conversation that carries it');
    const all = replies();
    for (const { reply } of sightings(all, [given.privateLabel.id]))
      throw new Unexpected('the private label in no reply', `it is in ${statusOf(reply)}`);
    for (const reply of all) expectUnnamed(reply, given.privateLabel, names);
    for (const reply of all)
      if (reply.exchange.operationId === 'getConversationContext')
        expectHiddenInContext(reply, given.privateLabel, names);
    observe(`${counted(all.length, 'reply', 'replies')} searched`);
  },
});

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A reply that says of itself that it is not all there is. */
function hasMore({ json, headers }: Reply): boolean {
  if (/rel="?next/.test(headers.link ?? '')) return true;
  for (const [path, value] of valuesOf(json)) {
    if (/next|cursor|page|more|offset|total/i.test(String(path.at(-1) ?? '')) && value && typeof value !== 'object')
      return true;
  }
  return false;
}

/** What stands for the other labels where this one has its id. */
function idsBeside({ json }: Reply, label: NamedLabel): unknown[] {
  for (const [path, value] of valuesOf(json)) {
    if (String(value).toLowerCase() !== label.id.toLowerCase()) continue;
    const name = path.at(-1);
    const array = [...valuesOf(json)].find(
      ([place]) => place.join('/') === path.slice(0, typeof name === 'number' ? -1 : -2).join('/'),
    )?.[1];
    if (Array.isArray(array)) return array.map((item) => (typeof name === 'string' ? item?.[name] : item));
  }
  return [];
}

const list = check({
  id: 'labels/list',
  rule: 'labels/listing-gives-public-labels',
  title: 'the list of labels has the spare label, under an id that is a UUID',
  needs: ['spareLabel'],
  uses: ['listLabels'],
  async run({ call, given }) {
    const reply = await call('listLabels');
    expectThat(reply, succeeded(reply), 'labels are listed', `answered ${reply.status}`);
    const label = listedLabels(reply).find(({ id }) => id.toLowerCase() === given.spareLabel.id.toLowerCase());
    if (label === undefined && !reply.planned && hasMore(reply))
      throw new Inconclusive(
        'the spare label is not in the first part of a list that has more, and how to get the rest is not shown',
      );
    expectThat(reply, label !== undefined, 'the id of the spare label is in the list', 'it is not');
    const odd = idsBeside(reply, given.spareLabel).find((id) => typeof id !== 'string' || !uuid.test(id));
    expectThat(reply, odd === undefined, 'ids of labels are UUIDs', `${JSON.stringify(odd)} is none`);
  },
});

/** Private labels: out of reach, out of sight; public ones: listed. */
export const labelsPrivate: readonly Check[] = [...applied, ...removed, listed, ...inSets, anywhere, list];
