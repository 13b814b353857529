import { fillPath } from '../../spec/routes.ts';
import type { CheckContext } from '../check.ts';
import { expectControl, expectThat, statusOf } from '../expect.ts';
import type { Holder } from '../facts.ts';
import { membershipOf } from '../membership.ts';
import { Changed, Inconclusive } from '../outcome.ts';
import { type Reply, succeeded } from '../reply.ts';
import { keyFor } from '../target/keys.ts';
import { errorBodyProblem } from './error-body.ts';
import { type ListedLabel, labelReader, listedLabels } from './label-reader.ts';
import { labelsIn, tellingApart } from './labels-in-reply.ts';
import type { LabelPlace } from './legal-calls.ts';

/** A holder and the spare label, which it does not carry when the scene is set. */
export interface LabelScene {
  readonly apply: () => Promise<Reply>;
  readonly remove: () => Promise<Reply>;
  /** Puts the spare label on, to be taken off when the check ends. @throws Inconclusive when that does not succeed */
  readonly carried: () => Promise<Reply>;
  /** The reply to the removal before anything else; null where removing what is not carried does not succeed. */
  readonly before: Reply | null;
  /** That same reply, whatever it was. */
  readonly firstRemoval: Reply;
  /** What the deployment has stored, told by another request than the one under test. */
  readonly stored: () => Promise<Stored>;
  readonly borrow: () => Promise<void>;
  /** The labels that the context told of when nothing had been written yet; empty where it tells none. */
  readonly told: readonly string[];
  /** The same of now. */
  readonly tells: () => Promise<readonly string[]>;
  /** How often a reply carries the spare label. */
  readonly times: (reply: Reply) => number;
  /** The listed labels besides the spare one that a reply carries: ids, sorted. */
  readonly others: (reply: Reply) => readonly string[];
}

export interface Stored {
  readonly reply: Reply;
  /** How often the spare label is there. */
  readonly times: number;
  readonly others: readonly string[];
}

/** Whatever the scene needs of a context. */
type Needed = Pick<CheckContext, 'call' | 'shared' | 'planning' | 'repeating' | 'given' | 'borrow' | 'deployment'>;

/**
 * Sets a scene: the spare label is off, and taking off is known to work, before anything is put on.
 * @throws Inconclusive where the path of the removal is not known: a label that was put on could not be taken off again
 */
export async function labelScene(context: Needed, place: LabelPlace): Promise<LabelScene> {
  const { call, given, shared, planning } = context;
  const spare = given.spareLabel;
  const holder = place.holder(given);
  const { apply, remove, params } = membershipOf(holder, spare.id);

  const list = await shared('label-reader/labels', () => call('listLabels'));
  expectControl(list, 'listing the labels');
  const listed = tellingApart(listedLabels(list), spare);
  const isSpare = ({ id }: ListedLabel) => id.toLowerCase() === spare.id.toLowerCase();
  const times = (reply: Reply) => [...labelsIn(reply, listed.filter(isSpare)).values()][0] ?? 0;
  const rest = listed.filter((label) => !isSpare(label));
  const others = (reply: Reply) => [...labelsIn(reply, rest).keys()].sort();

  // Read before the first removal of the whole run: one that takes off too much has nothing left to take later.
  const told = await shared(`label-scene/${place.slug}`, () => contextOf(context, place));
  const toldIn = (reply: Reply | null) =>
    reply === null ? [] : others({ ...reply, json: { labels: labelsOf(reply.json) } });

  const removed = await call(remove, { params });
  const before = removed.planned || succeeded(removed) ? removed : null;
  if (before === null) await expectRouted(context, place, params, removed);
  const now = before === null ? [] : others(before);
  const first = await shared(`label-scene/${place.slug}/first`, async () => now);
  const gone = first.filter((id) => !now.includes(id));
  if (context.repeating && gone.length > 0)
    throw new Changed(`labels that were there at first are not any more: ${gone.join(', ')}`);

  let applied: Reply | null = null;
  let reader: (() => Promise<Reply>) | null = null;
  const borrow = () => context.borrow(holder, spare.id);
  return {
    before,
    firstRemoval: removed,
    times,
    others,
    told: toldIn(told),
    tells: async () => toldIn(await contextOf(context, place)),
    borrow,
    remove: () => call(remove, { params }),
    async apply() {
      applied = await call(apply, { params });
      return applied;
    },
    async carried() {
      await borrow();
      applied = await call(apply, { params });
      expectControl(applied, 'putting the label on');
      return applied;
    },
    async stored() {
      reader ??= await readerOf({ call, shared, planning }, holder, [before, applied], spare.id);
      const reply = await reader();
      return { reply, times: times(reply), others: others(reply) };
    },
  };
}

/** A reader from the first of these replies that holds enough for one. */
async function readerOf(
  context: Pick<CheckContext, 'call' | 'shared' | 'planning'>,
  holder: Holder,
  replies: readonly (Reply | null)[],
  spare: string,
): Promise<() => Promise<Reply>> {
  let problem: unknown = new Inconclusive('no reply tells which labels are carried');
  for (const reply of replies) {
    if (reply === null) continue;
    try {
      return await labelReader(context, holder, reply, spare);
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      problem = error;
    }
  }
  throw problem;
}

/**
 * A refusal of the removal may be a router's, which does not know the path, or the operation's own. Told apart by what a path
 * gets that surely nobody knows.
 */
async function expectRouted(
  { call, deployment }: Needed,
  { remove }: LabelPlace,
  params: Readonly<Record<string, string>>,
  refused: Reply,
): Promise<void> {
  const operation = deployment.operation(remove);
  if (operation === undefined || operation.provenance.address === 'documented') return;
  if (refused.status !== 404 && refused.status !== 405) return;
  const problem = new Inconclusive(
    `${statusOf(refused)}: the specification does not show this method and path, and a label that cannot be taken off is not put on; give operations.${remove} in the target file`,
  );
  // Applying may be at this path, and removing somewhere else.
  if (refused.status === 405) throw problem;
  const path = `${fillPath(operation.path, params).split('/').slice(0, -2).join('/')}/nowhere`;
  const nowhere = await call(remove, { path });
  if (refused.status !== nowhere.status) return;
  if (withoutPlace(refused, params) !== withoutPlace(nowhere, params) && errorBodyProblem(refused) === null) return;
  throw problem;
}

/** The reply without what differs from request to request. */
function withoutPlace({ text, exchange }: Reply, params: Readonly<Record<string, string>>): string {
  const { pathname } = new URL(exchange.url);
  let same = text;
  for (const part of [pathname, decodeURIComponent(pathname), ...Object.values(params)])
    same = same.replaceAll(part, '');
  return same.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '').replace(/\d+/g, '');
}

/** @throws Unexpected unless the store still has the other labels that it had. */
export function expectSameOthers(after: Stored, before: Stored, why: string): void {
  const lost = before.others.filter((id) => !after.others.includes(id));
  const gained = after.others.filter((id) => !before.others.includes(id));
  const seen = [
    ...(lost.length > 0 ? [`${lost.join(', ')} gone`] : []),
    ...(gained.length > 0 ? [`${gained.join(', ')} new`] : []),
  ];
  const how = { final: lost.length > 0 };
  expectThat(after.reply, seen.length === 0, `${why}: the other labels stay as they were`, seen.join('; '), how);
}

/** The context of the conversation, where a key for it is given; null elsewhere. */
export async function contextOf({ call, deployment, given }: Needed, place: LabelPlace): Promise<Reply | null> {
  const operation = deployment.operation('getConversationContext');
  const holder = place.holder(given);
  if (operation === undefined || holder.kind !== 'conversation') return null;
  const found = keyFor(deployment, { scopes: operation.scopes });
  if ('missing' in found) return null;
  return call('getConversationContext', { params: { id: holder.id }, as: found.key });
}

const labelsOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'labels' in json ? json.labels : [];
