/** How a deployment spells labels: where replies show them, as records, ids or names. */
import { uuid } from '../../../spec/text/uuid.ts';
import { fieldWith } from '../../contract/shown.ts';
import type { View } from '../../experiments/views.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { sparesOf, tenantsOf } from '../../target/records.ts';
import type { Question } from './index.ts';

const sections = { conversation: 'conversationLabels', site: null, link: 'clientSiteLabels' } as const;

/** The array of records that has a spare label, and the names of the properties for id and name. */
function placeIn(list: Exchange, deployment: Deployment) {
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

/** Whether the items of a list are records, ids or names. */
function itemsOf({ pick, tokens }: View): 'ids' | 'names' | 'records' {
  if (pick.length > 0) return 'records';
  return [...tokens.values()].some((token) => uuid.test(token)) ? 'ids' : 'names';
}

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
      };
    },
  ],
  [
    'labels/record-is-id-and-name',
    ({ operation, caller, mutation }, exchange, { deployment }) => {
      if (operation !== 'listLabels' || caller !== 'valid' || mutation !== null || !succeeded(exchange)) return null;
      const topic = 'a label';
      const place = placeIn(exchange, deployment);
      if (place === null) return { topic, words: 'the spare label was not found as a record' };
      const { at, records, fields, id, name } = place;
      const sorted = isSorted(records.map((one) => String(one[name ?? 'name'] ?? '')));
      const label = id === undefined ? undefined : { id, ...(name !== undefined && { name }) };
      return {
        topic,
        words: `{${fields.join(', ')}}, ${sorted ? 'listed by name' : 'listed in another order'}`,
        profile: { shapes: { labelList: { at }, ...(label && { label }) } },
      };
    },
  ],
  [
    'context/labels-are-names',
    ({ operation, isElsewhere }, exchange) => {
      const { labels } = objectIn(exchange);
      const shown = (Array.isArray(labels) ? labels : []).filter((label) => typeof label === 'string');
      const isContext = operation === 'getConversationContext' && !isElsewhere && succeeded(exchange);
      if (!isContext || shown.length === 0) return null;
      const words = shown.some((label) => uuid.test(label)) ? 'ids' : 'names';
      return { topic: 'labels of a context', words, profile: { shapes: { contextLabels: words } } };
    },
  ],
];
