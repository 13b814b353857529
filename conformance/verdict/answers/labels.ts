/** How a deployment spells labels: where replies show them, as records, ids or names. */
import { uuid } from '../../../spec/text/uuid.ts';
import { fieldWith } from '../../contract/shown.ts';
import type { View } from '../../experiments/views.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import { hasMore } from '../../history/pages.ts';
import { perObject } from '../../per-object.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { sparesOf, tenantsOf } from '../../target/records.ts';
import type { Traffic } from '../traffic.ts';
import type { Question } from './index.ts';

const sections = { conversation: 'conversationLabels', site: null, link: 'clientSiteLabels' } as const;

/** Lists of labels as they were asked for lawfully. */
const listsIn = perObject(({ cases }: Traffic) =>
  [...cases].flatMap(([exchange, { operation, caller, mutation, isElsewhere }]) => {
    const isLawful = operation === 'listLabels' && caller === 'valid' && mutation?.means !== 'open' && !isElsewhere;
    return isLawful && succeeded(exchange) ? [exchange] : [];
  }),
);

/** The array of records that has a spare label, and the names of the properties for id and name. */
function placeIn(list: Exchange, { deployment }: Traffic) {
  for (const { id, name } of tenantsOf(deployment).flatMap(sparesOf))
    for (const [path, value] of valuesOf(jsonOf(list))) {
      const records = Array.isArray(value) ? value.filter(isObject) : [];
      const spare = records.find((record) => fieldWith(record, id) !== undefined);
      if (spare === undefined) continue;
      const fields = { id: fieldWith(spare, id), name: fieldWith(spare, name) };
      return { at: path.join('.'), records, fields: Object.keys(spare), ...fields };
    }
  return null;
}

/** Whether the names are sorted, in any collation and regardless of case. */
const isSorted = (names: readonly string[]) =>
  names.every((name, i) => i === 0 || (names[i - 1] ?? '').toLowerCase().localeCompare(name.toLowerCase()) <= 0);

/** The names of listed labels by their ids. */
const namesById = perObject((traffic: Traffic): ReadonlyMap<string, string> => {
  const spares = tenantsOf(traffic.deployment).flatMap(sparesOf);
  const records = listsIn(traffic).flatMap((list) =>
    valuesOf(jsonOf(list)).flatMap(([, value]) => (isObject(value) ? [value] : [])),
  );
  return new Map(
    [...spares.map(({ id, name = id }) => ({ id, name })), ...records].flatMap(({ id, name }): [string, string][] =>
      typeof id === 'string' && typeof name === 'string' ? [[id.toLowerCase(), name]] : [],
    ),
  );
});

/** Whether the items of a list are records, ids or names. */
function itemsOf({ pick, tokens }: View): 'ids' | 'names' | 'records' {
  if (pick.length > 0) return 'records';
  return [...tokens.values()].some((token) => uuid.test(token)) ? 'ids' : 'names';
}

/** Names are compared without regard to how they are written, as slugs. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

/** The questions about labels. */
export const labelQuestions: readonly Question[] = [
  [
    'labels/paths-and-methods',
    ({ operation: id, isElsewhere, isApply }, exchange, { deployment, learned }) => {
      const write = labelWriteOf(exchange.operation, exchange.params);
      if (isElsewhere || write === null || exchange.step === undefined || !succeeded(exchange)) return null;
      const view = learned.get(exchange.step.record)?.views.get(id);
      const { method = '', path = '' } = deployment.operation(id) ?? {};
      const at = view?.at.filter((one) => !one.startsWith('\0')).join('.') ?? '';
      const items = view && itemsOf(view);
      const where = view
        ? `labels ${at === '' ? 'are the body' : `at ${at}`}, ${items}`
        : 'no set was found in the reply';
      const section = sections[write.holder.kind];
      return {
        topic: `${id} by ${method} ${path}`,
        words: `${exchange.status}, ${where}`,
        profile: {
          operations: { [id]: { status: exchange.status ?? 200 } },
          ...(isApply && section !== null && items !== undefined && { shapes: { [section]: { at, items } } }),
        },
        assumed: (at !== 'labels' || items !== 'records') && 'labels: records',
        observed: where,
      };
    },
  ],
  [
    'labels/record-is-id-and-name',
    (_, exchange, traffic) => {
      if (listsIn(traffic)[0] !== exchange) return null;
      const topic = 'a label';
      const place = placeIn(exchange, traffic);
      if (place === null) return { topic, words: 'the spare label was not found as a record' };
      const { at, records, fields, id, name } = place;
      const sorted = isSorted(records.map((one) => String(one[name ?? 'name'] ?? '')));
      const isUsual = id === 'id' && (name ?? 'name') === 'name' && fields.length <= 2 && sorted;
      const label = id === undefined ? undefined : { id, ...(name !== undefined && { name }) };
      return {
        topic,
        words: `{${fields.join(', ')}}, ${sorted ? 'listed by name' : 'listed in another order'}`,
        profile: { shapes: { labelList: { at }, ...(label && { label }) } },
        assumed: !isUsual && 'labels of id and name, by name',
      };
    },
  ],
  [
    'context/labels-are-names',
    ({ operation, isElsewhere }, exchange, traffic) => {
      const { labels } = objectIn(exchange);
      const shown = (Array.isArray(labels) ? labels : []).filter((label): label is string => typeof label === 'string');
      const isContext = operation === 'getConversationContext' && !isElsewhere && succeeded(exchange);
      if (!isContext || shown.length === 0) return null;
      const names = namesById(traffic);
      const known = new Set([...names.values()].map(plain));
      const unknown = shown.filter((label) => !known.has(plain(label)));
      const isIds = shown.some((label) => names.has(label.toLowerCase()));
      const topic = 'labels of a context';
      if (!isIds && unknown.length === shown.length) return { topic, words: 'neither known ids nor known names' };
      const words = isIds ? 'ids' : 'names';
      const isOther = isIds || (unknown.length > 0 && !listsIn(traffic).some(hasMore));
      return {
        topic,
        words,
        profile: { shapes: { contextLabels: words } },
        assumed: isOther && 'names of labels',
        observed: isIds ? JSON.stringify(shown) : `also ${JSON.stringify(unknown)}, which no listed label is called`,
      };
    },
  ],
];
