import { uuid } from '../../../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../../../history/exchange.ts';
import type { History } from '../../../history/history.ts';
import { privatesOf, sparesOf, tenantsOf } from '../../../target/records.ts';
import { askedBy, deploymentIn } from '../../judging/asked.ts';
import { once } from '../../judging/law.ts';

/** The labels of a tenant, from its list of labels and the target file. */
interface Catalogue {
  /** Each label by its id in lower case, with the texts that name this label and no other. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
  /** The id in lower case of the label that a text means; undefined where that is not known. */
  meantBy(text: string): string | undefined;
}

/** A record of a list of labels. */
interface Listed {
  /** The value at the place where the spare label has its id. */
  readonly id: unknown;
  readonly record: unknown;
}

/** The path to the records of a list, with `*` for any index and any id, and the path to the id in a record. A null path: records are keyed by id. */
interface Place {
  readonly records: readonly string[];
  readonly id: readonly string[] | null;
}

const steps = (path: readonly (string | number)[]) =>
  path.map((step) => (typeof step === 'number' || uuid.test(step) ? '*' : step));

/** Every place that contains one of these labels. */
function placesOf(json: unknown, labels: ReadonlySet<string>): Place[] {
  return [...valuesOf(json)].flatMap(([path, value]): Place[] => {
    const pattern = steps(path);
    const last = pattern.lastIndexOf('*');
    if (typeof value === 'string' && labels.has(value.toLowerCase()))
      return last < 0 ? [] : [{ records: pattern.slice(0, last + 1), id: pattern.slice(last + 1) }];
    const named = isObject(value) && Object.keys(value).some((name) => labels.has(name.toLowerCase()));
    return named ? [{ records: [...pattern, '*'], id: null }] : [];
  });
}

function recordsAt(json: unknown, { records, id }: Place): Listed[] {
  let matches: { readonly name: string; readonly record: unknown }[] = [{ name: '', record: json }];
  for (const step of records)
    matches = matches.flatMap(({ record }) => {
      if (step !== '*') return isObject(record) ? [{ name: step, record: record[step] }] : [];
      if (Array.isArray(record)) return record.map((one: unknown) => ({ name: '', record: one }));
      return isObject(record) ? Object.entries(record).map(([name, one]) => ({ name, record: one })) : [];
    });
  return matches.map(({ name, record }) => ({
    id: id === null ? name : id.reduce((inner, step) => (isObject(inner) ? inner[step] : undefined), record),
    record,
  }));
}

/** A record may contain other ids, such as that of a parent. Its own id is the one that most records have, with the shortest name. */
function ownPlaces(places: readonly Place[], json: unknown): Place[] {
  const missing = (place: Place) => recordsAt(json, place).filter(({ id }) => id === undefined).length;
  const length = ({ id }: Place) => id?.join('').length ?? 0;
  return [...Map.groupBy(places, ({ records }) => records.join('/')).values()].flatMap((rivals) =>
    rivals.length < 2 ? rivals : rivals.sort((a, b) => missing(a) - missing(b) || length(a) - length(b)).slice(0, 1),
  );
}

/** The labels in each reply to listLabels. The place of the spare labels shows which records are labels. */
export const listedIn = once((history: History): ReadonlyMap<Exchange, readonly Listed[]> => {
  const listed = new Map<Exchange, readonly Listed[]>();
  for (const owner of tenantsOf(deploymentIn(history))) {
    const spares = new Set(sparesOf(owner).map(({ id }) => id.toLowerCase()));
    const lists = history.exchanges.filter(
      (exchange) =>
        exchange.operation === 'listLabels' &&
        succeeded(exchange) &&
        askedBy(exchange, history).tenant?.name === owner.name,
    );
    // Most lists are equal, so each body is read only once.
    const bodies = new Map(lists.map((list) => [list.body, jsonOf(list)]));
    const places = new Map(
      [...bodies.values()].flatMap((json) => placesOf(json, spares)).map((place) => [JSON.stringify(place), place]),
    );
    const records = new Map(
      [...bodies].map(([body, json]) => [
        body,
        ownPlaces([...places.values()], json).flatMap((place) => recordsAt(json, place)),
      ]),
    );
    for (const list of lists) listed.set(list, records.get(list.body) ?? []);
  }
  return listed;
});

/** The texts and numbers of a record, up to one level deeper, with their names. */
function leavesOf(record: unknown, before = ''): [name: string, leaf: string | number][] {
  if (typeof record === 'string') return [[before, record]];
  if (!isObject(record)) return [];
  return Object.entries(record).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === 'string' || typeof value === 'number') return [[before + name, value]];
    return isObject(value) && before === '' ? leavesOf(value, `${name}.`) : [];
  });
}

/** The id that a text is, or at which it links to a label; undefined for other texts. */
const idIn = (text: string) =>
  text
    .slice(text.lastIndexOf('/') + 1)
    .match(uuid)?.[0]
    .toLowerCase();

/** Some deployments show `Second spare` as `second-spare`. */
const slugOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

const catalogues = once((history: History): ReadonlyMap<string, Catalogue> => {
  return new Map(
    tenantsOf(deploymentIn(history)).map((owner) => {
      const texts = new Map<string, Set<string>>();
      const numbers = new Map<string, Map<string, number>>();
      const add = (id: string, names: readonly string[]) => {
        const labelTexts = texts.get(id.toLowerCase()) ?? new Set();
        for (const name of names) if (!uuid.test(name)) labelTexts.add(name);
        texts.set(id.toLowerCase(), labelTexts);
      };
      for (const { id, name } of [...sparesOf(owner), ...privatesOf(owner)]) add(id, name === undefined ? [] : [name]);
      const lists = [...listedIn(history)].filter(([list]) => askedBy(list, history).tenant?.name === owner.name);
      for (const listed of new Set(lists.map(([, records]) => records))) {
        for (const { id, record } of listed) {
          if (typeof id !== 'string' || !uuid.test(id)) continue;
          const leaves = leavesOf(record);
          add(
            id,
            leaves.flatMap(([, leaf]) => (typeof leaf === 'string' ? [leaf] : [])),
          );
          for (const [name, leaf] of leaves)
            if (typeof leaf === 'number')
              numbers.set(name, (numbers.get(name) ?? new Map()).set(id.toLowerCase(), leaf));
        }
      }
      // A number identifies labels if every label has one and no two are equal.
      const all = [...texts.keys()].filter((id) => !privatesOf(owner).some((hidden) => hidden.id.toLowerCase() === id));
      for (const byId of numbers.values())
        if (byId.size > 1 && all.every((id) => byId.has(id)) && new Set(byId.values()).size === byId.size)
          for (const [id, number] of byId) add(id, [String(number)]);
      return [owner.name, catalogueOf(texts)];
    }),
  );
});

function catalogueOf(texts: ReadonlyMap<string, ReadonlySet<string>>): Catalogue {
  const owners = new Map<string, Set<string>>();
  const addOwner = (text: string, id: string) => owners.set(text, (owners.get(text) ?? new Set()).add(id));
  for (const [id, names] of texts) for (const name of names) addOwner(name, id);
  for (const [id, names] of texts) for (const name of names) addOwner(`slug ${slugOf(name)}`, id);
  const only = (text: string) => {
    const ids = owners.get(text);
    return ids?.size === 1 ? [...ids][0] : undefined;
  };
  return {
    labels: new Map([...texts].map(([id, names]) => [id, new Set([...names].filter((name) => only(name) === id))])),
    meantBy: (text) => idIn(text) ?? only(text) ?? only(`slug ${slugOf(text)}`),
  };
}

/** The catalogue of a tenant; an empty one if the target file does not name the tenant. */
export const catalogueOfTenant = (history: History, tenant: string): Catalogue =>
  catalogues(history).get(tenant) ?? emptyCatalogue;

const emptyCatalogue = catalogueOf(new Map());

/** The name of a label in quotes, or its id where the name is not known. */
export function calledIn(history: History, tenant: string, label: string): string {
  const [name] = label.startsWith('=')
    ? [label.slice(1)]
    : (catalogueOfTenant(history, tenant).labels.get(label) ?? []);
  return name === undefined ? label : `"${name}"`;
}
