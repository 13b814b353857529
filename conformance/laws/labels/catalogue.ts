import { isObject, jsonOf, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { privatesOf, sparesOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The labels of a tenant, as its list of labels and the target file name them. */
export interface Catalogue {
  /** Each label by its id in lower case, with the texts that name it and no other label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
  /** The label that a text means: its id in lower case; undefined where that is not known. */
  meantBy(text: string): string | undefined;
}

/** The records of a list of labels, whatever it is: records, ids alone, an object by id, at any depth. */
export function listedIn(json: unknown): { readonly id: string; readonly texts: readonly string[] }[] {
  if (Array.isArray(json)) return json.flatMap((item) => (typeof item === 'string' ? bare(item) : listedIn(item)));
  if (!isObject(json)) return [];
  const texts = textsIn(json);
  const ids = texts.filter(([, text]) => uuid.test(text));
  // Other ids may stand in a record, its tenant's for example: the label's own is the one called so.
  const own = ids.find(([name]) => /^(label\.?)?_?(id|uuid)$/i.test(name));
  if (own !== undefined)
    return [{ id: own[1].toLowerCase(), texts: texts.map(([, text]) => text).filter((text) => !uuid.test(text)) }];
  return Object.entries(json).flatMap(([name, inner]) => {
    if (!uuid.test(name)) return listedIn(inner);
    const named = isObject(inner) ? textsIn(inner).map(([, text]) => text) : [inner];
    return [
      {
        id: name.toLowerCase(),
        texts: named.filter((text): text is string => typeof text === 'string' && !uuid.test(text)),
      },
    ];
  });
}

const bare = (text: string) => (uuid.test(text) ? [{ id: text.toLowerCase(), texts: [] }] : []);

/** The texts of a record and of the records right inside it, each with the names that lead there. */
function textsIn(record: Readonly<Record<string, unknown>>, before = ''): [name: string, text: string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string') return [[before + name, value]];
    return isObject(value) && before === '' ? textsIn(value, `${name}.`) : [];
  });
}

/** `Second spare` and `second-spare` are one label to most who make slugs. */
const slugOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

const catalogues = once((history: History): ReadonlyMap<string, Catalogue> => {
  const { tenant, stranger } = deploymentIn(history);
  return new Map(
    [tenant, ...(stranger ? [stranger] : [])].map((one) => {
      const texts = new Map<string, Set<string>>();
      const add = (id: string, names: readonly string[]) => {
        const known = texts.get(id.toLowerCase()) ?? new Set();
        for (const name of names) known.add(name);
        texts.set(id.toLowerCase(), known);
      };
      for (const { id, name } of [...sparesOf(one), ...privatesOf(one)]) add(id, name === undefined ? [] : [name]);
      for (const exchange of history.exchanges) {
        if (exchange.operation !== 'listLabels' || !succeeded(exchange)) continue;
        if (askedBy(exchange, history).tenant?.name === one.name)
          for (const listed of listedIn(jsonOf(exchange))) add(listed.id, listed.texts);
      }
      return [one.name, catalogueOf(texts)];
    }),
  );
});

function catalogueOf(texts: ReadonlyMap<string, ReadonlySet<string>>): Catalogue {
  const owners = new Map<string, Set<string>>();
  const own = (text: string, id: string) => owners.set(text, (owners.get(text) ?? new Set()).add(id));
  for (const [id, names] of texts) for (const name of names) own(name, id);
  for (const [id, names] of texts) for (const name of names) own(`slug ${slugOf(name)}`, id);
  const only = (text: string) => {
    const ids = owners.get(text);
    return ids?.size === 1 ? [...ids][0] : undefined;
  };
  return {
    labels: new Map([...texts].map(([id, names]) => [id, new Set([...names].filter((name) => only(name) === id))])),
    meantBy: (text) => (uuid.test(text) ? text.toLowerCase() : (only(text) ?? only(`slug ${slugOf(text)}`))),
  };
}

/** What is known of the labels of a tenant; nothing of one that the target file does not name. */
export const catalogueOfTenant = (history: History, tenant: string): Catalogue =>
  catalogues(history).get(tenant) ?? nothing;

const nothing = catalogueOf(new Map());
