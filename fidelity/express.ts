import { isObject, jsonOf, objectIn, succeeded } from '../conformance/history/exchange.ts';
import type { ProfilePatch } from '../conformance/profile.ts';
import { patchOf, refusalIn } from '../conformance/verdict/answers/refusals.ts';
import { type RefusalCase, refusalCases } from '../spec/files/profile-schema.ts';
import { operations, type Scope } from '../spec/operations.ts';
import type { Recording } from './recording.ts';
import type { Way } from './ways.ts';

/** The part of a profile with which the mock would answer as was recorded, or why no profile can say it. */
export type Expressed = { readonly patch: ProfilePatch } | { readonly why: string };

/** Makes texts of sample values, which nobody wrote. */
export type Made = (value: unknown, name: string) => unknown;

/** What a profile would have to say of a way. */
export function expressed(way: Way, recording: Recording, made: Made): Expressed {
  const { operation, at, refused } = way;
  const [{ exchange } = missing] = way.shownBy;
  const status = exchange.status ?? 0;
  if (status === 429 || refused === 'throttled') return ofLimiter(way, exchange.headers['retry-after']);
  if (operation === 'storage') {
    if (succeeded(exchange) && refused === null) return { patch: { upload: { putStatus: status } } };
    return { why: 'what a storage refuses is upload.store of a profile: strict, gcs or lenient' };
  }
  if (at.startsWith('header ')) return ofHeader(at.slice('header '.length), exchange.headers);
  if (refused !== null) return status >= 400 ? ofRefusal(refused, exchange) : ofPermission(way, recording);
  if (operation === null) return { why: 'the mock serves a path here that the deployment does not' };
  if (status < 400)
    return at === 'status' ? { patch: { operations: { [operation]: { status } } } } : ofBody(way, recording, made);
  const isServed = recording.exchanges.some((one) => one.operation === operation && succeeded(one));
  if (!isServed && (status === 404 || status === 405)) return { patch: { operations: { [operation]: null } } };
  return { why: 'a profile cannot refuse what the contract allows' };
}

type Exchange = Recording['exchanges'][number];
const missing = { exchange: { status: 0, headers: {}, body: null } as unknown as Exchange };

function ofLimiter({ at }: Way, wait = ''): Expressed {
  if (at === 'header retry-after' && /^[1-9]\d*$/.test(wait))
    return { patch: { limits: { retryAfter: Number(wait) } } };
  return { why: 'how many requests pass is limits.reading of a profile, and rateLimit of a key in the fixtures' };
}

function ofHeader(name: string, { [name]: value }: Exchange['headers']): Expressed {
  if (value === undefined) return { why: 'a profile cannot leave out a header' };
  if (name === 'cache-control' || name === 'deprecation') return { patch: { headers: { [name]: value } } };
  return { why: `a profile has no header ${name}, whose value depends on the reply` };
}

function ofRefusal(refused: NonNullable<Way['refused']>, exchange: Exchange): Expressed {
  if (refused === 'register-twice') return { patch: { upload: { registerTwice: refusalIn(exchange) } } };
  if (refused === 'register-before-put') return { patch: { upload: { registerBeforePut: refusalIn(exchange) } } };
  const patch = refusalCases.includes(refused as RefusalCase) ? patchOf(refused as RefusalCase, exchange) : undefined;
  return patch === undefined ? { why: `a profile has no case ${refused}` } : { patch };
}

function ofPermission({ operation, refused, shownBy }: Way, { tenants, exchanges }: Recording): Expressed {
  const status = shownBy[0]?.exchange.status ?? 200;
  if (refused === 'register-twice') return { patch: { upload: { registerTwice: { status } } } };
  if (refused === 'register-before-put') return { patch: { upload: { registerBeforePut: { status } } } };
  if (refused === 'missing-scope' && operation !== null && operation !== 'storage') {
    const scopesOf = new Map(
      tenants.flatMap(({ name, keys }) => keys.map((key) => [`${name}/${key.name}`, key.scopes])),
    );
    const served = exchanges.filter((one) => one.operation === operation && succeeded(one));
    const isNeeded = (scope: Scope) => served.every(({ key }) => scopesOf.get(key ?? '')?.includes(scope) ?? true);
    return { patch: { operations: { [operation]: { scopes: operations[operation].scopes.filter(isNeeded) } } } };
  }
  return { why: `the mock refuses this (${refused}), and a profile cannot permit it` };
}

function ofBody({ operation, at, what, shownBy }: Way, { exchanges }: Recording, made: Made): Expressed {
  if (operation === null || operation === 'storage') return { why: 'no operation' };
  const [{ exchange } = missing] = shownBy;
  const path = at.replace(/^body\.?/, '');
  const steps = path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '');
  const name = steps.at(-1) ?? '';
  if (steps.length === 0 || name === '[]' || path.includes('{}') || what === 'id' || what === 'expiry')
    return { why: 'this is what the deployment has in its records, or where replies show it' };
  const [only, ...others] = Object.keys(objectIn(exchange));
  const isWrapper = what === 'missing' && steps.length === 1 && name === only && others.length === 0;
  if (isWrapper && isObject(objectIn(exchange)[name])) return { patch: { bodies: { [operation]: { in: name } } } };
  if (what === 'more') {
    const isShown = exchanges.some((one) => one.operation === operation && valueAt(jsonOf(one), steps) !== undefined);
    if (isShown)
      return { why: 'the deployment shows this property of some records, and the mock does not know of which' };
    return { patch: { bodies: { [operation]: { omit: [path] } } } };
  }
  const value = valueAt(jsonOf(exchange), steps);
  const isAdded = what === 'missing' || value === null;
  return { patch: { bodies: { [operation]: { [isAdded ? 'add' : 'replace']: { [path]: made(value, name) } } } } };
}

/** The first value at a path, whose steps `[]` stand for any item. */
function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step !== '[]') return isObject(value) ? valueAt(value[step], rest) : undefined;
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => valueAt(item, rest)).find((one) => one !== undefined);
}
