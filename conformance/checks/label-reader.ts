import type { CheckContext } from '../check.ts';
import { expectControl, timesInOneArray } from '../expect.ts';
import type { Holder } from '../facts.ts';
import { membershipOf } from '../membership.ts';
import { Inconclusive } from '../outcome.ts';
import { hasValue, type Reply, valuesOf } from '../reply.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A label as the list of labels shows it: its id and whatever texts stand beside it, its name among them. */
export interface ListedLabel {
  readonly id: string;
  readonly texts: readonly string[];
}

/** The labels in a reply of listLabels, whose shape is open: records, bare ids, at any depth. */
export function listedLabels(reply: Reply): ListedLabel[] {
  const found = new Map<string, ListedLabel>();
  const add = (id: string, texts: readonly string[]) => {
    if (!found.has(id)) found.set(id, { id, texts });
  };
  for (const [path, value] of valuesOf(reply.json)) {
    if (typeof value === 'string' && uuid.test(value) && typeof path.at(-1) === 'number') add(value, []);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const ids = texts.filter(([, text]) => uuid.test(text));
    // Other ids may stand in a record, its tenant's for example: the label's own is the one called so.
    const own = ids.find(([name]) => /^(label)?_?(id|uuid)$/i.test(name)) ?? ids[0];
    if (own !== undefined)
      add(
        own[1],
        texts.filter(([, text]) => !uuid.test(text)).map(([, text]) => text),
      );
  }
  return [...found.values()];
}

/**
 * A way to read the labels of a holder, of which no operation is sure to tell, by a write that changes nothing: a label
 * that it carries is applied again, or one that it does not carry removed again. Which of the two must be beyond doubt,
 * because this is somebody's record.
 * @param before a reply with all its labels; `spare` is not among them
 * @throws Inconclusive where nothing is beyond doubt
 */
export async function labelReader(
  { call, shared, planning }: Pick<CheckContext, 'call' | 'shared' | 'planning'>,
  holder: Holder,
  before: Reply,
  spare: string,
): Promise<() => Promise<Reply>> {
  const list = await shared('label-reader/labels', () => call('listLabels'));
  expectControl(list, 'listing the labels');
  const labels = listedLabels(list).filter(({ id }) => id.toLowerCase() !== spare.toLowerCase());
  const carried =
    labels.find(({ id }) => hasValue(before, id)) ?? labels.find((label) => isNamed(before, label, labels));
  const absent = isEmpty(before) ? labels[0] : undefined;
  const label = carried ?? absent;
  if (label === undefined && !planning)
    throw new Inconclusive('whether anything was changed could not be read: this needs a second public label');

  const { apply, remove, params } = membershipOf(holder, label?.id ?? spare);
  return async () => {
    const reply = await call(carried ? apply : remove, { params });
    expectControl(reply, 'reading the labels by a write that changes nothing');
    return reply;
  };
}

/** Whether the reply names the label, in a list, by a text that no other label has. */
function isNamed(reply: Reply, { id, texts }: ListedLabel, all: readonly ListedLabel[]): boolean {
  const others = new Set(all.filter((other) => other.id !== id).flatMap((other) => other.texts));
  return texts.some((text) => !others.has(text) && timesInOneArray(reply, text) > 0);
}

/** Whether the reply lists nothing: it has lists, and all of them are empty. */
function isEmpty(reply: Reply): boolean {
  const lists = [...valuesOf(reply.json)].filter(([, value]) => Array.isArray(value));
  return lists.length > 0 && lists.every(([, list]) => Array.isArray(list) && list.length === 0);
}
