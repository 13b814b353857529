import { jsonOrUndefined } from '../spec/text/json-or-undefined.ts';
import { Roles } from './roles.ts';

/** A reply as either side gave it. Names of headers are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** One way in which two replies differ. Equal differences of other replies have equal fields: no field has an id, a time or a text. */
export interface Difference {
  /** `status`, `header retry-after`, or the place in the body, such as `body.labels[].id`. */
  readonly at: string;
  /** `missing` and `more`: seen from the mock. `id`: stands for another record than before. */
  readonly what: 'status' | 'value' | 'type' | 'missing' | 'more' | 'id';
  readonly recorded: string;
  readonly mock: string;
}

/**
 * In what the reply of the mock differs from the recorded one to the same request. Ids, times and texts are compared by their role: an id must
 * stand for the same record as before (which `roles` learns), a time be one, a text be one. Empty: they are alike.
 */
export function differences(recorded: Reply, mock: Reply, roles: Roles = new Roles()): Difference[] {
  const found = new Map<string, Difference>();
  const differ: Differ = (at, what, a, b) => found.set([at, what, a, b].join('\n'), { at, what, recorded: a, mock: b });
  const [was, is] = [contentOf(recorded), contentOf(mock)];
  if (recorded.status !== mock.status) differ('status', 'status', statusWords(recorded, was), statusWords(mock, is));
  else {
    ofHeaders(recorded, mock, differ);
    const isError = recorded.status >= 400;
    if (was.kind !== is.kind) differ('body', 'type', was.kind, is.kind);
    else if (was.kind === 'json') ofValues(was.json, is.json, 'body', '', { differ, roles, isError });
  }
  return [...found.values()];
}

type Differ = (at: string, what: Difference['what'], recorded: string, mock: string) => void;

interface Content {
  readonly kind: string;
  readonly json?: unknown;
}

function contentOf({ body }: Reply): Content {
  if (body === null || body === '') return { kind: 'nothing' };
  const json = jsonOrUndefined(body);
  return json === undefined ? { kind: /^\s*</.test(body) ? 'markup' : 'text' } : { kind: 'json', json };
}

/** A status with the code of its body, which says why. */
function statusWords({ status }: Reply, { json }: Content): string {
  const code = (json as { error?: { code?: unknown } } | null | undefined)?.error?.code;
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}

/** Seconds between two waits that a network explains. */
const retryAfterWithin = 1;

/** What of a header is compared. Headers about the connection, the server and the date mean nothing to a client of the API. */
const headers: Readonly<Record<string, (value: string) => string>> = {
  'content-type': (value) => value.split(';')[0]?.trim().toLowerCase() ?? '',
  'retry-after': (value) => (/^\d+$/.test(value) ? 'whole seconds' : /^[\d.]+$/.test(value) ? 'seconds' : 'words'),
  // What answers GET answers HEAD too, and every path OPTIONS.
  allow: (value) =>
    value
      .toUpperCase()
      .split(/\s*,\s*/)
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .sort()
      .join(', '),
  'cache-control': (value) => value.toLowerCase(),
  'www-authenticate': (value) => value.split(' ')[0] ?? '',
  deprecation: (value) => value,
  // Their values are ids, times or hashes.
  location: () => 'sent',
  link: () => 'sent',
  etag: () => 'sent',
  'last-modified': () => 'sent',
  sunset: () => 'sent',
};

/** The names of headers that are compared. */
export const comparedHeaders = Object.keys(headers);

function ofHeaders(recorded: Reply, mock: Reply, differ: Differ): void {
  for (const [name, form] of Object.entries(headers)) {
    const [a, b] = [recorded.headers[name], mock.headers[name]];
    const [was, is] = [a && form(a), b && form(b)];
    if (was === is) continue;
    // The type of no body says nothing.
    if (name === 'content-type' && !recorded.body && !mock.body) continue;
    differ(`header ${name}`, is ? (was ? 'value' : 'more') : 'missing', was || 'none', is || 'none');
  }
  const waits = Number(recorded.headers['retry-after']) - Number(mock.headers['retry-after']);
  if (Math.abs(waits) > retryAfterWithin)
    differ('header retry-after', 'value', waits > 0 ? 'longer' : 'shorter', waits > 0 ? 'shorter' : 'longer');
}

interface Scene {
  readonly differ: Differ;
  readonly roles: Roles;
  readonly isError: boolean;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** @param name the nearest name of a property above, which says what ids and numbers are */
function ofValues(was: unknown, is: unknown, at: string, name: string, scene: Scene): void {
  const { differ, roles, isError } = scene;
  const [a, b] = [kindOf(was, name), kindOf(is, name)];
  if (a !== b) differ(at, 'type', a, b);
  else if (Array.isArray(was)) ofLists(was, is as unknown[], at, name, scene);
  else if (a === 'object') ofObjects(was as JsonObject, is as JsonObject, at, name, scene);
  else if (typeof was === 'string' && isIdKind(a)) {
    const names = naming.test(name) || (a !== 'id' && roles.mockOf(was) !== undefined);
    if (names && !roles.pair(was, is as string)) differ(at, 'id', 'one record', 'another');
  } else if (
    typeof was === 'boolean' ||
    (typeof was === 'number' && counts.test(name)) ||
    (isError && name !== 'message' && isCode(was))
  ) {
    if (was !== is) differ(at, 'value', String(was), String(is));
  }
}

/** Numbers that say how much there is; others may be anything. */
const counts = /size|count|total|limit|length/i;
/** A word for programs, not a sentence for people. */
const isCode = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]+$/.test(value);

/** Properties that name a record of the contract. Ids of anything else are compared as texts. */
const naming = /^(?:id|uuid|key|(?:primary)?(?:label|site|client|conversation|file)_?(?:id|uuid|key))$/i;

const isIdKind = (kind: string) => kind === 'id' || kind.includes('uuid');
/** A date and a time of day, with its zone. */
export const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text);
const anyUuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The kind of a value, which the mock must show too. */
function kindOf(value: unknown, name = ''): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole number' : 'number';
  if (typeof value !== 'string') return typeof value;
  if (value === '') return 'empty text';
  if (isTime(value)) return 'time';
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value)) return 'URL';
  const form = value.replace(anyUuid, 'uuid');
  if (form !== value && /^[\w:.-]{0,10}uuid$/.test(form)) return form;
  return /^id$|Ids?$|_ids?$|^uuid$|[a-z]Key$/.test(name) ? 'id' : 'text';
}

/** Whether a text is an id, by its form or by the name of its property. */
export const isId = (text: string, name: string): boolean => isIdKind(kindOf(text, name));

/** Other names are ids, addresses or texts, as keys of a map. */
export const isPropertyName = (name: string): boolean => /^[\w$-]*$/.test(name) && !isId(name, '');

function ofObjects(was: JsonObject, is: JsonObject, at: string, name: string, scene: Scene): void {
  const byId = Object.keys({ ...was, ...is }).some((key) => kindOf(key).includes('uuid'));
  for (const [key, value] of Object.entries(was)) {
    const place = byId ? `${at}{}` : `${at}.${key}`;
    const own = byId ? (scene.roles.mockOf(key) ?? key) : key;
    if (Object.hasOwn(is, own)) ofValues(value, is[own], place, byId ? name : key, scene);
    else scene.differ(place, 'missing', kindOf(value, key), 'nothing');
  }
  const expected = new Set(Object.keys(was).map((key) => (byId ? (scene.roles.mockOf(key) ?? key) : key)));
  for (const [key, value] of Object.entries(is))
    if (!expected.has(key)) scene.differ(byId ? `${at}{}` : `${at}.${key}`, 'more', 'nothing', kindOf(value, key));
  // The context of a conversation shows labels by name, so names of what has an id are learned with it.
  if (typeof was.id === 'string' || Object.keys(was).some((key) => isIdKind(kindOf(was[key], key))))
    for (const [key, value] of Object.entries(was))
      if (/name|title/i.test(key) && typeof value === 'string' && typeof is[key] === 'string')
        scene.roles.pair(value, is[key]);
}

/** Lists in which the order says something. In which order labels and records of the same kind stand is open. */
const ordered = /^(messages|attachments)$/;

function ofLists(was: readonly unknown[], is: readonly unknown[], at: string, name: string, scene: Scene): void {
  const pairs = ordered.test(name) ? was.map((item, i) => [item, is[i]] as const) : paired(was, is, scene.roles);
  const place = `${at}[]`;
  if (was.length > is.length) scene.differ(place, 'missing', 'an item', 'nothing');
  if (was.length < is.length) scene.differ(place, 'more', 'nothing', 'an item');
  for (const [a, b] of pairs.slice(0, Math.min(was.length, is.length))) {
    const isName = typeof a === 'string' && typeof b === 'string' && kindOf(a, name) === 'text' && !ordered.test(name);
    if (!isName) ofValues(a, b, place, name, scene);
    else if (!scene.roles.pair(a, b)) scene.differ(place, 'id', 'one record', 'another');
  }
}

/** Items of two lists that stand for the same record; what is left is paired in its order. */
function paired(was: readonly unknown[], is: readonly unknown[], roles: Roles): (readonly [unknown, unknown])[] {
  const free = Map.groupBy(is, identityOf);
  const pairs = was.map((item) => {
    const own = identityOf(item);
    const [same] = free.get((roles.mockOf(own) ?? own).toLowerCase())?.splice(0, 1) ?? [];
    return [item, same] as const;
  });
  const isKnown = ([, same]: (typeof pairs)[number]) => same !== undefined;
  const left = [...free.values()].flat();
  const others = pairs.filter((pair) => !isKnown(pair)).map(([item], i) => [item, left[i]] as const);
  return [...pairs.filter(isKnown), ...others];
}

/** What tells an item from the others of its list: a text itself, or the first id of a record, or its first text. */
function identityOf(item: unknown): string {
  if (typeof item === 'string') return item.toLowerCase();
  if (typeof item !== 'object' || item === null) return String(item);
  const texts = Object.entries(item).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const ids = texts.filter(([key, value]) => isIdKind(kindOf(value, key)));
  const [, id] = ids.find(([key]) => naming.test(key)) ?? ids[0] ?? texts[0] ?? [];
  if (id !== undefined) return id.toLowerCase();
  const inner = Object.values(item).find((value) => typeof value === 'object' && value !== null);
  return inner === undefined ? '' : identityOf(inner);
}
