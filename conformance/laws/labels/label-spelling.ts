import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { ProfilePatch } from '../../profile-patch.ts';
import { type Holder, labelOperations } from '../../target/holder.ts';
import { sparesOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import { type Breach, type Law, lawOf } from '../judging/law.ts';
import { ownWrites } from './registers/own-writes.ts';
import { catalogueOfTenant } from './sets/catalogue.ts';
import { labelSetsIn, type Spelling } from './sets/label-sets.ts';

const holderWords: Readonly<Record<Holder['kind'], string>> = {
  conversation: 'a conversation',
  site: 'a site',
  link: 'a client-site link',
};

const sections = { conversation: 'conversationLabels', site: null, link: 'clientSiteLabels' } as const;

/** Whether the items of a set are records, ids or names. */
function itemsOf({ item, at }: Spelling, exchange: Exchange): 'ids' | 'names' | 'records' {
  if (item === null || item.length > 0) return 'records';
  let set = jsonOf(exchange);
  for (const name of at) set = isObject(set) ? set[name] : undefined;
  return Array.isArray(set) && set.some((one) => typeof one === 'string' && uuid.test(one)) ? 'ids' : 'names';
}

const addresses = lawOf(
  'labels/paths-and-methods',
  'PUT applies a label and DELETE removes it, and replies have the set in the property labels',
  (history) => {
    const deployment = deploymentIn(history);
    const breaches: Breach[] = [];
    const answers: string[] = [];
    const profile: ProfilePatch[] = [];
    const done = ownWrites(history).filter((write) => write.done);
    for (const kind of ['conversation', 'site', 'link'] as const)
      for (const act of ['apply', 'remove'] as const) {
        const id = labelOperations[kind][act];
        const operation = deployment.operation(id);
        const first = done.find(({ exchange }) => exchange.operation === id)?.exchange;
        const spelling = labelSetsIn(history).spellings.get(id);
        if (operation === undefined || first === undefined) continue;
        profile.push({ operations: { [id]: { status: first.status ?? 200 } } });
        const at = spelling?.at.join('.') ?? '';
        const items = spelling && itemsOf(spelling, first);
        const where =
          spelling === undefined
            ? 'no set was found in the reply'
            : `labels ${at === '' ? 'are the body' : `at ${at}`}, ${items}`;
        answers.push(
          `${act === 'apply' ? 'applied to' : 'removed from'} ${holderWords[kind]} by ${operation.method} ${operation.path}: ${first.status}, ${where}`,
        );
        const section = sections[kind];
        if (act === 'apply' && section !== null && items !== undefined)
          profile.push({ shapes: { [section]: { at, items } } });
        if (at !== 'labels' || items !== 'records')
          breaches.push({ exchange: first, expected: 'labels: records', observed: where });
      }
    return { applied: done.length, breaches, answers, profile };
  },
);

/** Whether the names are sorted, in any collation and regardless of case. */
const isSorted = (names: readonly string[]) =>
  names.every((name, i) => i === 0 || (names[i - 1] ?? '').toLowerCase().localeCompare(name.toLowerCase()) <= 0);

/** The array of records that contains the spare label, and the names of the properties for id and name. */
function placeInList(exchange: Exchange, history: History) {
  for (const { id, name } of sparesOf(deploymentIn(history).tenant))
    for (const [path, value] of valuesOf(jsonOf(exchange))) {
      if (!Array.isArray(value)) continue;
      const spareRecord = value.find(
        (item) => isObject(item) && Object.values(item).some((text) => String(text).toLowerCase() === id.toLowerCase()),
      );
      if (!isObject(spareRecord)) continue;
      const propertyWith = (value: string | undefined) =>
        Object.keys(spareRecord).find(
          (property) => value !== undefined && String(spareRecord[property]).toLowerCase() === value.toLowerCase(),
        );
      return {
        at: path.join('.'),
        records: value.filter(isObject),
        fields: Object.keys(spareRecord),
        id: propertyWith(id),
        name: propertyWith(name),
      };
    }
  return null;
}

/** Records in sets of labels with the id of one label and the name of another. @param id the property with the id @param name the property with the name */
const misnamedIn = (history: History, id: string, name: string): Breach[] =>
  labelSetsIn(history).showings.flatMap(({ exchange, tenant }) => {
    const { labels, meantBy } = catalogueOfTenant(history, tenant);
    const [wrong] = valuesOf(jsonOf(exchange)).flatMap(([, value]) => {
      const named =
        isObject(value) && labels.has(String(value[id]).toLowerCase()) ? meantBy(String(value[name])) : undefined;
      return isObject(value) && named !== undefined && named !== String(value[id]).toLowerCase() ? [value] : [];
    });
    if (wrong === undefined) return [];
    const expected = 'each label of a set with the name that the list of labels gives to its id';
    return [
      {
        exchange,
        expected,
        observed: `label ${wrong[id]} is named "${wrong[name]}" in a set, as another label in the list`,
      },
    ];
  });

const record = lawOf(
  'labels/record-is-id-and-name',
  'a label is a record of id and name, and labels are listed by name',
  (history) => {
    const lists = history.exchanges.filter((exchange) => exchange.operation === 'listLabels' && succeeded(exchange));
    const [first] = lists;
    if (first === undefined) return { applied: 0, breaches: [] };
    const place = placeInList(first, history);
    if (place === null)
      return { applied: lists.length, breaches: [], answers: ['the spare label was not found as a record'] };
    const names = place.records.map((one) => String(one[place.name ?? 'name'] ?? ''));
    const observed = `a label is {${place.fields.join(', ')}}, ${isSorted(names) ? 'listed by name' : 'listed in another order'}`;
    const misnamed =
      place.id === undefined || place.name === undefined ? [] : misnamedIn(history, place.id, place.name);
    const same = place.id === 'id' && (place.name ?? 'name') === 'name' && place.fields.length <= 2 && isSorted(names);
    return {
      applied: lists.length,
      breaches: [
        ...(same ? [] : [{ exchange: first, expected: 'labels of id and name, by name', observed }]),
        ...misnamed,
      ],
      answers: [observed, ...misnamed.slice(0, 1).map((breach) => breach.observed)],
      profile: [
        {
          shapes: {
            labelList: { at: place.at },
            ...(place.id !== undefined && {
              label: { id: place.id, ...(place.name !== undefined && { name: place.name }) },
            }),
          },
        },
      ],
    };
  },
);

/** Laws about open questions: how a deployment spells labels. */
export const labelSpelling: readonly Law[] = [addresses, record];
