/** Who must be refused, in which ways a request can be said otherwise, and which keys lack what. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import { type Change, lawful, must, open, type Request, valid, type Who } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import type { Credential } from '../history/exchange.ts';
import type { Caller, Owner } from '../history/facts.ts';
import { type Deployment, keysFor, keysOf, lacksScope, revokedKeysOf } from '../target/deployment.ts';
import { tenantsOf } from '../target/records.ts';

/** Everybody who must be refused for the key alone, with the narrowest key of the tenant under test as what is sent in the wrong way. */
export function wrongCallers(deployment: Deployment, newId: () => string): Who[] {
  const keys = keysOf(deployment.tenant).sort((a, b) => b.scopes.length - a.scopes.length);
  const [widest] = keys;
  if (widest === undefined) return [];
  const { secret } = widest;
  const sent = (caller: Caller, ...credentials: readonly Credential[]) =>
    credentials.map((credential): Who => ({ key: widest, credential, caller }));
  const written = (header: string): Who => ({
    key: null,
    credential: 'none',
    headers: { 'x-api-key': header },
    caller: 'unknown',
  });
  const authorized = (scheme: string): Who => ({
    key: widest,
    credential: 'none',
    headers: { authorization: `${scheme} ${secret}` },
    caller: 'elsewhere',
  });
  const nearly = [`${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`, `${secret}x`, `x${secret}`];
  const odd = [`${newId()}, ${secret}`, `${secret}%00x`, '*', 'undefined', 'null', 'x', 'x'.repeat(500)];
  const quoted = [`a'b"c;--`, 'ab+c/d==', 'user:password'];
  return [
    { key: null, credential: 'none', caller: 'none' },
    ...sent('none', 'empty'),
    ...sent('unknown', 'unknown'),
    ...sent('bearer', 'bearer'),
    ...tenantsOf(deployment).flatMap(revokedKeysOf).map(valid),
    ...sent('elsewhere', 'basic', 'authorization', 'cookie', 'other-header'),
    ...['ApiKey', 'Token', 'Key'].map(authorized),
    ...sent('unknown', 'part-of-a-key'),
    ...[...nearly, ...odd, ...quoted].map(written),
    { key: widest, credential: 'unknown', headers: { authorization: `Bearer ${secret}` }, caller: 'unknown' },
  ];
}

/** Places in which all odd callers, or all odd spellings, are tried once. A slow run tries all odd callers of each operation. */
const places = 6;

/**
 * Without a key in each place; with unknown, revoked and bearer keys in one of those of the operation; keys in other places and values that are
 * no keys in one of so many places.
 * @param alike places of the operation
 */
export function someWrongCallers(b: Bench, operation: OperationId, alike: number): Who[] {
  const [none, ...all] = wrongCallers(b.deployment, b.scene.newId);
  const isUsual = ({ caller, credential, headers }: Who) =>
    headers === undefined && caller !== 'elsewhere' && credential !== 'part-of-a-key';
  const odd = all.filter((who) => !isUsual(who));
  return [
    ...(none ? [none] : []),
    ...b.share(`usual callers of ${operation}`, all.filter(isUsual), alike),
    ...(b.scene.slow ? b.share(`odd callers of ${operation}`, odd, alike) : b.share('odd callers', odd, places)),
  ];
}

/** Keys of the tenant that lack a scope for this operation. */
export function keysWithout(b: Bench, operation: OperationId, tenant = b.deployment.tenant): Who[] {
  const needed = b.deployment.scopesOf(operation);
  const isLacking = (key: Parameters<typeof lacksScope>[0]) => needed.some((scope) => lacksScope(key, scope));
  return keysOf(tenant).filter(isLacking).map(valid);
}

/** The path of a request as the contract has it. */
export function pathOf(b: Bench, { operation, place, label }: Pick<Request, 'operation' | 'place' | 'label'>): string {
  const params: Readonly<Record<string, string>> = { ...place.params, labelId: label?.id ?? '' };
  const { path = '' } = b.deployment.operation(operation) ?? {};
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** An operation on a record, as anybody may ask for it. */
interface Asked {
  readonly operation: OperationId;
  /** Whose record it is. */
  readonly tenant: TargetTenant;
  /** Records of the operation that share what is odd. */
  readonly alike: number;
  /** Whether a key of the other tenant asks for a record of that one. */
  readonly crosses: boolean;
  readonly ask: (who: Who, owner: Owner) => Request;
  /** Other spellings of it, which open no door. */
  readonly changes: readonly Change[];
}

/**
 * Who must be refused: everybody without a valid key, keys without the scope, keys of the other tenant, and some of them in other spellings. Over
 * all places, each spelling meets each caller. Of a record of the other tenant, little is asked but what crosses.
 */
export function refusedFor(b: Bench, { operation, tenant, alike, crosses, ask, changes }: Asked): Request[] {
  const isOurs = tenant === b.deployment.tenant;
  const nobody = isOurs ? someWrongCallers(b, operation, alike) : wrongCallers(b.deployment, b.scene.newId).slice(0, 1);
  const lacking = keysWithout(b, operation, tenant);
  const others = tenantsOf(b.deployment).filter((one) => crosses && one !== tenant);
  const foreign = others
    .flatMap((one) => keysFor(b.deployment, operation, one))
    .slice(0, 2)
    .map(valid);
  const ours = (who: Who) => ask(who, 'ours');
  const theirs = (who: Who) => ask(who, 'theirs');
  const ways = [
    ...(isOurs ? [...nobody.slice(0, 1), ...lacking.slice(0, 1)].map(ours) : []),
    ...foreign.slice(0, 1).map(theirs),
  ];
  const spelled = b.share(
    `spellings by ${ways.length}`,
    changes.flatMap((change) => ways.map((way) => ({ ...way, change }))),
    places,
  );
  return [
    ...nobody.map(ours),
    ...b.share(`${operation} of ${tenant.name} without scope`, lacking, alike).map(ours),
    ...foreign.map(theirs),
    ...spelled,
  ];
}

/**
 * Other spellings of a request. What they mean is open, but they open no door. `encoded` means the same.
 * @param owner the name of the tenant whose record it is
 */
export function spellings(path: string, owner?: string): Change[] {
  const letter = (one: string) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
  const all = [
    lawful('an encoded id', { encoded: true }),
    open('a slash at the end', { path: `${path}/` }),
    open('two slashes', { path: path.replace(/^\/v1\//, '/v1//') }),
    open('two slashes first', { path: `/${path}` }),
    open('a suffix', { path: `${path}.json` }),
    open('the version in capitals', { path: path.replace('/v1/', '/V1/') }),
    must('without the version', 'versioning/v1-prefix', [404], { path: path.replace(/^\/v1/, '') }),
    open('an encoded letter', { path: path.replace(/[a-z](?=[a-z]+(\/|$))/, letter) }),
    open('the id in capitals', { path: path.replace(/(?<=^\/v1\/\w+\/)[^/]+/, (id) => id.toUpperCase()) }),
    open('a query', { query: '?x=1' }),
    open('a query that includes', { query: '?include=labels' }),
    open('OPTIONS', { method: 'OPTIONS' }),
    open('from its own machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }),
    ...(owner ? [open('the tenant named', { headers: { 'x-tenant': owner, 'x-tenant-id': owner } })] : []),
  ];
  return all.filter(({ change }) => change.path !== path);
}
