import type { z } from 'zod';
import { isObject, jsonOf, objectIn, succeeded, valuesOf } from '../conformance/history/exchange.ts';
import type { ProfilePatch } from '../conformance/profile.ts';
import { patchOf, refusalIn } from '../conformance/verdict/answers/refusals.ts';
import { errorCode, refusals } from '../mock/refusal.ts';
import { type Check, checks } from '../spec/checks.ts';
import type { Profile } from '../spec/files/profile-schema.ts';
import type { OperationId } from '../spec/operations.ts';
import { type RefusalCase, refusalCases } from '../spec/refusals.ts';
import { isPropertyName } from './alike.ts';
import { mayTellOfPerson } from './made-texts.ts';
import type { Recording } from './recording.ts';
import type { Way } from './ways.ts';

/** The part of a profile with which the mock would answer as was recorded, or why no profile can say it. */
export type Expressed = { readonly patch: ProfilePatch } | { readonly why: string };

/** Makes texts of sample values, which nobody wrote. */
export type Made = (value: unknown, name: string) => z.core.util.JSONType;

/** What a profile would have to say of a way. */
export function expressed(way: Way, recording: Recording, made: Made): Expressed {
  const { operation, at, refused } = way;
  const [{ exchange, mock }] = way.shownBy;
  const status = exchange.status ?? 0;
  const isOfLimiter = !at.startsWith('header ') || at === 'header retry-after';
  if (isOfLimiter && (status === 429 || refused === 'throttled'))
    return ofLimiter(way, exchange.headers['retry-after']);
  if (operation === 'storage') {
    if (succeeded(exchange) && refused === null) return { patch: { upload: { putStatus: status } } };
    if (succeeded(exchange) && /registered/.test(mock?.body ?? ''))
      return { patch: { upload: { putAfterRegister: 'replaces' } } };
    return { why: 'what a storage refuses is upload.store of a profile: strict, gcs or lenient' };
  }
  if (
    at.startsWith('body.') &&
    !at
      .slice('body.'.length)
      .split(/[.[\]{}]+/)
      .every(isPropertyName)
  )
    return { why: 'this name of a property is data itself, such as a mail address' };
  if (at.startsWith('header ')) return ofHeader(at.slice('header '.length), exchange, recording);
  if (at === 'body' && jsonOf(exchange) === undefined)
    return { why: 'a profile has bodies of JSON, where there are any' };
  if (operation === null && at === 'status' && status === 404 && encodedLetter.test(exchange.url))
    return { patch: { encodedLetters: 'other' } };
  if (refused === 'register-twice') return { patch: { upload: { registerTwice: refusalIn(exchange) } } };
  if (refused === 'register-before-put') return { patch: { upload: { registerBeforePut: refusalIn(exchange) } } };
  if (refused !== null) return status >= 400 ? ofRefusal(refused, way, made) : ofPermission(way);
  if (operation === null) return { why: 'the mock serves a path here that the deployment does not' };
  if (status < 400)
    return at === 'status' ? { patch: { operations: { [operation]: { status } } } } : ofBody(way, recording, made);
  const isServed = recording.exchanges.some((one) => one.operation === operation && succeeded(one));
  if (!isServed && (status === 404 || status === 405)) return { patch: { operations: { [operation]: null } } };
  return { why: 'a profile cannot refuse what the contract allows' };
}

/** A letter of a path that needs no encoding. */
const encodedLetter = /^[^?]*%(?:[46][1-9a-f]|[57][\da])/i;

type Exchange = Recording['exchanges'][number];

function ofLimiter({ at }: Way, wait = ''): Expressed {
  if (at === 'header retry-after' && /^[1-9]\d*$/.test(wait))
    return { patch: { limits: { retryAfter: Number(wait) } } };
  return { why: 'how many requests pass is limits.reading of a profile, and rateLimit of a key in the fixtures' };
}

function ofHeader(name: string, exchange: Exchange, { exchanges }: Recording): Expressed {
  const value = exchange.headers[name];
  if (name === 'content-type' && /^application\/(?:[\w.-]+\+)?json/i.test(value ?? ''))
    return { patch: { mediaTypes: { [succeeded(exchange) ? 'success' : 'error']: value } } };
  if (name === 'content-type') return { why: 'a profile has media types of JSON' };
  if (
    value === undefined &&
    exchanges.every(({ headers, operation }) => operation === 'storage' || headers[name] === undefined)
  )
    return { patch: { headers: { [name]: null } } };
  if (value === undefined) return { why: `the deployment has the header ${name} in some replies` };
  if (mayTellOfPerson(value, new Set())) return { why: 'this value may tell of a person, and a profile is committed' };
  if (name === 'cache-control' || name === 'deprecation') return { patch: { headers: { [name]: value } } };
  return { why: `a profile has no header ${name}, whose value depends on the reply` };
}

function ofRefusal(refused: NonNullable<Way['refused']>, { at, what, shownBy }: Way, made: Made): Expressed {
  const [{ exchange }] = shownBy;
  const path = at.replace(/^body\./, '');
  if (what === 'missing' && path !== at && !/^(?:error(?:\.code|\.message)?|message)$/.test(path)) {
    const value = valueAt(jsonOf(exchange), path);
    return { patch: { errorBody: { add: { [path]: made(value, path.split('.').at(-1) ?? '') } } } };
  }
  const patch = refusalCases.includes(refused as RefusalCase) ? patchOf(refused as RefusalCase, exchange) : undefined;
  return patch === undefined ? { why: `a profile has no case ${refused}` } : { patch };
}

const permittable = /^(?:not-json|malformed-(?:conversation|client|label)-id|(?:unknown|foreign|private)-label)$/;

function ofPermission({ refused, shownBy }: Way): Expressed {
  const permitted = shownBy.flatMap(({ exchange: { operation: id } }) =>
    id !== null && permittable.test(refused ?? '') ? [[id, [refused]]] : [],
  );
  if (permitted.length > 0) return { patch: { permits: Object.fromEntries(permitted) } };
  return { why: `the mock refuses this (${refused}), and a profile cannot permit it` };
}

function ofBody({ operation, at, what, shownBy }: Way, { exchanges }: Recording, made: Made): Expressed {
  if (operation === null || operation === 'storage') return { why: 'no operation' };
  const [{ exchange, mock }] = shownBy;
  const path = at.replace(/^body\.?/, '');
  const name = path.split(/\.|(?=\[\])/).at(-1) ?? '';
  const ofOperation = exchanges.filter((one) => one.operation === operation && succeeded(one));
  const pages = operation === 'listLabels' && what === 'more' && name === '[]' ? pagesIn(ofOperation) : undefined;
  if (pages !== undefined) return { patch: { shapes: { labelList: { pages } } } };
  const isList = what === 'more' && name === '[]' && !path.includes('label');
  if (isList && ofOperation.every((one) => valueAt(jsonOf(one), path) === undefined))
    return { patch: { bodies: { [operation]: { replace: { [path.slice(0, -'[]'.length)]: [] } } } } };
  if (path === '' || name === '[]' || path.includes('{}') || what === 'id')
    return { why: 'this is what the deployment has in its records, or where replies show it' };
  const wrapper = wrapperIn(objectIn(exchange), objectIn(mock ?? { body: null }));
  if (wrapper !== undefined) return ofWrapper(operation, wrapper, objectIn(exchange)[wrapper]);
  if (what === 'more') {
    if (ofOperation.some((one) => valueAt(jsonOf(one), path) !== undefined))
      return { why: 'the deployment shows this property of some records, and the mock does not know of which' };
    return { patch: { bodies: { [operation]: { omit: [path] } } } };
  }
  const value = valueAt(jsonOf(exchange), path);
  const isAlwaysNull = ofOperation.every((one) => (valueAt(jsonOf(one), path) ?? null) === null);
  const isAdded = what === 'missing' || (value === null && !isAlwaysNull);
  return { patch: { bodies: { [operation]: { [isAdded ? 'add' : 'replace']: { [path]: made(value, name) } } } } };
}

/** What is checked where a request is refused for this reason; undefined for what an operation itself refuses. */
function checkOf(refused: string): Check | undefined {
  if (/^(?:unknown-path|wrong-method)$/.test(refused)) return 'route';
  if (/^malformed-.*-id$/.test(refused)) return 'ids';
  if (/^(?:unknown|foreign|private)-/.test(refused))
    return refused.endsWith('-label') ? 'label' : refused.endsWith('-file-key') ? undefined : 'record';
  const others: Readonly<Record<string, Check>> = { 'too-large': 'size', 'missing-scope': 'scope', throttled: 'rate' };
  return (
    others[refused] ??
    (Object.hasOwn(refusals, refused) && /json|type|property|file-key/.test(refused) ? 'body' : undefined)
  );
}

/** Orders of checks with which the mock would refuse for another reason, for which it answers as was recorded. */
export function ordersFor(
  { refused, at, shownBy }: Way,
  { order = [...checks], errors = {} }: Profile,
): ProfilePatch[] {
  const [{ exchange }] = shownBy;
  const { status, code } = refusalIn(exchange);
  if (refused === null || status < 400 || !/^(?:status|body\.error\.code)$/.test(at)) return [];
  const from = order.indexOf(checkOf(refused) ?? 'label');
  const alike = refusalCases.filter((name) => {
    const [usual] = refusals[name];
    const { status: its, code: word = errorCode(its) } = errors[name] ?? { status: usual };
    return its === status && word === code;
  });
  const earlier = new Set(alike.flatMap((name) => checkOf(name) ?? []));
  return order.slice(from + 1).flatMap((check) => {
    const others = order.filter((name) => name !== check);
    return earlier.has(check) ? [{ order: [...others.slice(0, from), check, ...others.slice(from)] }] : [];
  });
}

/** How the pages of a list are asked for, if the next one was. */
function pagesIn(lists: readonly Exchange[]) {
  for (const list of lists) {
    const values = valuesOf(jsonOf(list));
    const size = values.flatMap(([, value]) => (Array.isArray(value) ? value.length : []))[0] ?? 0;
    for (const [path, value] of values) {
      const next = path.join('.');
      if (!/next|more|cursor|offset|page/i.test(next) || !(typeof value === 'string' || typeof value === 'number'))
        continue;
      const link = typeof value === 'string' && /^[/?]|^https?:/i.test(value);
      const asked = lists.flatMap(({ url }) => [...(URL.parse(url)?.searchParams ?? [])]);
      const sent = link ? [...(URL.parse(value, list.url)?.searchParams ?? [])].at(-1) : [undefined, String(value)];
      const [parameter] = asked.find(([name, one]) => one === sent?.[1] && (!link || name === sent[0])) ?? [];
      const as = link ? 'link' : value === size ? 'offset' : value === 2 ? 'page' : 'cursor';
      if (parameter !== undefined && size > 0) return { size, next, as, parameter } as const;
    }
  }
  return undefined;
}

/** The property of a reply that holds what the mock shows without it. */
function wrapperIn(recorded: JsonObject, mock: JsonObject): string | undefined {
  const isElsewhere = (inner: unknown, name: string) =>
    isObject(inner) && Object.hasOwn(inner, name) && !Object.hasOwn(recorded, name);
  return Object.keys(recorded).find((name) => Object.keys(mock).some((own) => isElsewhere(recorded[name], own)));
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Where replies show labels is a shape of the body without its wrapper. */
function ofWrapper(operation: OperationId, wrapper: string, inner: unknown): Expressed {
  const section = { listLabels: 'labelList', Conversation: 'conversationLabels', ClientSite: 'clientSiteLabels' };
  const [, shape] =
    Object.entries(section).find(([name]) =>
      new RegExp(`^(?:(?:apply|remove)${name}Label|${name}$)`).test(operation),
    ) ?? [];
  const at = isObject(inner) ? Object.keys(inner).find((name) => Array.isArray(inner[name])) : undefined;
  return {
    patch: {
      bodies: { [operation]: { in: wrapper } },
      ...(shape !== undefined && at !== undefined && { shapes: { [shape]: { at } } }),
    },
  };
}

/** The first value at a place such as `clients[].name`. */
const valueAt = (body: unknown, place: string): unknown =>
  valuesOf(body).find(([path]) => place === path.map((step, i) => placeIn(step, i)).join(''))?.[1];

const placeIn = (step: string | number, i: number) => (typeof step === 'number' ? '[]' : i === 0 ? step : `.${step}`);
