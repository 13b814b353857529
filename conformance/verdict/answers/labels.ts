/** How a deployment spells labels: where replies show them, as records, ids or names. */
import { uuid } from '../../../spec/text/uuid.ts';
import type { Learned } from '../../experiments/views.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import { hasMore } from '../../history/pages.ts';
import { perObject } from '../../per-object.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { sparesOf, tenantsOf } from '../../target/records.ts';
import type { Answer, Around, Question } from './question.ts';

const kinds = { conversation: 'conversationLabels', site: null, link: 'clientSiteLabels' } as const;

/** The array of records that has a spare label, and the names of the properties for id and name. */
function placeIn(list: Exchange, { deployment }: Around) {
  const isSame = (value: unknown, text: string) => String(value).toLowerCase() === text.toLowerCase();
  for (const { id, name } of tenantsOf(deployment).flatMap(sparesOf))
    for (const [path, value] of valuesOf(jsonOf(list))) {
      const records = Array.isArray(value) ? value.filter(isObject) : [];
      const spare = records.find((record) => Object.values(record).some((one) => isSame(one, id)));
      if (spare === undefined) continue;
      const propertyWith = (text: string | undefined) =>
        Object.keys(spare).find((one) => text !== undefined && isSame(spare[one], text));
      return {
        at: path.join('.'),
        records,
        fields: Object.keys(spare),
        id: propertyWith(id),
        name: propertyWith(name),
      };
    }
  return null;
}

/** Whether the names are sorted, in any collation and regardless of case. */
const isSorted = (names: readonly string[]) =>
  names.every((name, i) => i === 0 || (names[i - 1] ?? '').toLowerCase().localeCompare(name.toLowerCase()) <= 0);

/** The names of listed labels by their ids. */
const namesById = perObject(({ lists, deployment }: Around): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const { id, name = id } of tenantsOf(deployment).flatMap(sparesOf)) names.set(id.toLowerCase(), name);
  for (const list of lists)
    for (const [, value] of valuesOf(jsonOf(list)))
      if (isObject(value) && typeof value.id === 'string' && typeof value.name === 'string')
        names.set(value.id.toLowerCase(), value.name);
  return names;
});

const isLabelWrite = ({ operation, params }: Exchange) => labelWriteOf(operation, params) !== null;

const texts = (exchange: Exchange): string[] => {
  const { labels } = objectIn(exchange);
  return (Array.isArray(labels) ? labels : []).filter((label) => typeof label === 'string');
};

/** Names are compared without regard to how they are written, as slugs. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

/** The questions about labels. */
export const labelQuestions: readonly Question[] = [
  {
    rule: 'labels/paths-and-methods',
    applies: (asked, exchange) =>
      !asked.isElsewhere && isLabelWrite(exchange) && exchange.step !== undefined && succeeded(exchange),
    answer(asked, exchange, { deployment, learned }): Answer {
      const { operation: id } = asked;
      const view = learned.get(exchange.step?.record ?? '')?.views.get(id);
      const { method = '', path = '' } = deployment.operation(id) ?? {};
      const at = view?.at.filter((one) => !one.startsWith('\0')).join('.') ?? '';
      const items = view && itemsOf(view);
      const where =
        view === undefined
          ? 'no set was found in the reply'
          : `labels ${at === '' ? 'are the body' : `at ${at}`}, ${items}`;
      const section = kinds[labelWriteOf(id, exchange.params)?.holder.kind ?? 'site'];
      return {
        topic: `${id} by ${method} ${path}`,
        words: `${exchange.status}, ${where}`,
        profile: {
          operations: { [id]: { status: exchange.status ?? 200 } },
          ...(asked.isApply && section !== null && items !== undefined && { shapes: { [section]: { at, items } } }),
        },
        ...((at !== 'labels' || items !== 'records') && { differs: { expected: 'labels: records', observed: where } }),
      };
    },
  },
  {
    rule: 'labels/record-is-id-and-name',
    applies: (_, exchange, { lists }) => lists[0] === exchange,
    answer(_, exchange, around): Answer {
      const topic = 'a label';
      const place = placeIn(exchange, around);
      if (place === null) return { topic, words: 'the spare label was not found as a record' };
      const { at, records, fields, id, name } = place;
      const sorted = isSorted(records.map((one) => String(one[name ?? 'name'] ?? '')));
      const words = `{${fields.join(', ')}}, ${sorted ? 'listed by name' : 'listed in another order'}`;
      const isUsual = id === 'id' && (name ?? 'name') === 'name' && fields.length <= 2 && sorted;
      return {
        topic,
        words,
        profile: {
          shapes: {
            labelList: { at },
            ...(id !== undefined && { label: { id, ...(name !== undefined && { name }) } }),
          },
        },
        ...(!isUsual && { differs: { expected: 'labels of id and name, by name', observed: words } }),
      };
    },
  },
  {
    rule: 'context/labels-are-names',
    applies: (asked, exchange) =>
      asked.operation === 'getConversationContext' &&
      !asked.isElsewhere &&
      succeeded(exchange) &&
      texts(exchange).length > 0,
    answer(_, exchange, around): Answer {
      const names = namesById(around);
      const shown = texts(exchange);
      const topic = 'labels of a context';
      const differs = (observed: string) => ({ differs: { expected: 'names of labels', observed } });
      if (shown.some((label) => names.has(label.toLowerCase())))
        return {
          topic,
          words: 'ids',
          profile: { shapes: { contextLabels: 'ids' } },
          ...differs(JSON.stringify(shown)),
        };
      const known = new Set([...names.values()].map(plain));
      const unknown = shown.filter((label) => !known.has(plain(label)));
      if (unknown.length === shown.length) return { topic, words: 'neither known ids nor known names' };
      const isWhole = !around.lists.some(hasMore);
      return {
        topic,
        words: 'names',
        profile: { shapes: { contextLabels: 'names' } },
        ...(unknown.length > 0 &&
          isWhole &&
          differs(`also ${JSON.stringify(unknown)}, which no listed label is called`)),
      };
    },
  },
];

/** Whether the items of a list are records, ids or names. */
function itemsOf({ pick, tokens }: NonNullable<ReturnType<Learned['views']['get']>>): 'ids' | 'names' | 'records' {
  if (pick.length > 0) return 'records';
  return [...tokens.values()].some((token) => uuid.test(token)) ? 'ids' : 'names';
}
