import fc from 'fast-check';
import { type Operation, operationList } from '../../../spec/operations.ts';
import type { TenantSeed } from '../../index.ts';
import { mostly } from '../model/step-values.ts';
import { headerText, hostileBody, hostileJson, hostileText } from './hostile-values.ts';

/**
 * A request to send. `{{fileKey:n}}` in its URL, headers and body stands for a value that an earlier request of the same
 * sequence was given, and so do `site`, `key`, `type` and `url`: which one is only known when it is sent.
 */
export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  /** One character of the URL, counted from its start, that is replaced when the URL is known. */
  readonly altered: { readonly at: number; readonly text: string } | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** In how many pieces the body arrives. */
  readonly pieces: number;
  /** Whether the connection ends before the whole body has arrived. */
  readonly breaksOff: boolean;
  /** Milliseconds that pass before it. */
  readonly after: number;
}

const issued = fc.nat(5);

/** An id of the tenant, of another tenant, an unknown id of the right form, or any text. */
function segments(
  { path, pathParameters }: Operation,
  seed: TenantSeed,
  seeds: readonly TenantSeed[],
): fc.Arbitrary<string[]> {
  const each = pathParameters.map((name) =>
    fc.oneof(
      { weight: 16, arbitrary: fc.constantFrom(...knownIds(path, name, [seed])).map(encoded) },
      { weight: 4, arbitrary: fc.constantFrom(...knownIds(path, name, seeds)).map(encoded) },
      {
        weight: 2,
        arbitrary: fc.oneof(
          fc.uuid(),
          hostileText.map((text) => encoded(`ovcid-${text}`)),
        ),
      },
      { weight: 1, arbitrary: hostileText.map(encoded) },
      // As it is: with slashes, question marks and broken percent-encoding.
      { weight: 1, arbitrary: hostileText },
    ),
  );
  if (!path.startsWith('/v1/client/{clientId}/site/')) return fc.tuple(...each);
  const links = seed.sites.flatMap(({ id, clients = [] }) => clients.map(({ client }) => [client, id] as const));
  const [, , label = fc.constant('')] = each;
  const linked = fc.tuple(fc.constantFrom(...links), label).map(([link, labelId]) => [...link, labelId]);
  return mostly(4, linked, fc.tuple(...each));
}

/** A lone half of a surrogate pair cannot be percent-encoded: on the wire it would be the replacement character. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

function knownIds(path: string, parameter: string, seeds: readonly TenantSeed[]): string[] {
  const ids = (of: (seed: TenantSeed) => readonly { readonly id: string }[]) =>
    seeds.flatMap((seed) => of(seed).map(({ id }) => id));
  if (parameter === 'labelId') return ids(({ labels }) => labels);
  if (parameter === 'clientId' || path.startsWith('/v1/client/{id}')) return ids(({ clients }) => clients);
  if (path.startsWith('/v1/conversation/')) return ids(({ conversations }) => conversations);
  return ids(({ sites }) => sites);
}

/** Mostly the key with all scopes, else any key, anything, or no key. */
function keys(seed: TenantSeed, seeds: readonly TenantSeed[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  const secrets = seeds.flatMap((seed) => seed.keys.map(({ secret }) => secret));
  const widest = seed.keys.filter(({ scopes }) => scopes.length > 7).map(({ secret }) => secret);
  const any = fc.oneof(fc.constantFrom(...secrets, ...secrets.map((one) => `${one}, ${one}`)), headerText);
  return mostly<Readonly<Record<string, string>>>(
    20,
    fc.constantFrom(...widest).map((secret) => ({ 'x-api-key': secret })),
    any.map((secret) => ({ 'x-api-key': secret })),
    fc.constantFrom({}, ...secrets.map((secret) => ({ authorization: `Bearer ${secret}` }))),
  );
}

const names = ['prefer', 'origin', 'content-type', 'content-length', 'expect', 'host', 'x-forwarded-host', 'cookie'];
const preferences = ['code=200', 'code=404', 'code=429', 'code=503', 'code=x', 'example=typical', 'dynamic=true'];
const more = mostly<Readonly<Record<string, string>>>(
  6,
  fc.constant({}),
  fc.constantFrom(...preferences).map((prefer) => ({ prefer })),
  fc.tuple(fc.constantFrom(...names), headerText).map(([name, value]) => ({ [name]: value })),
);

/** A body as the operation wants it, nearly so, or anything. */
function bodies({ id, hasBody }: Operation): fc.Arbitrary<string | null> {
  if (!hasBody) return mostly<string | null>(8, fc.constant(null), hostileBody);
  const valid: fc.Arbitrary<object> =
    id === 'startSiteFileUpload'
      ? fc.record({ contentType: hostileText.map((text) => text.padEnd(1, '0')) })
      : fc.record({ fileKey: fc.uuid(), name: hostileText }, { requiredKeys: ['fileKey'] });
  // But for one thing: a property less, or one more, or one of the wrong kind.
  const name = fc.oneof(fc.constantFrom('contentType', 'fileKey', 'name', '__proto__'), hostileText);
  const nearlyValid = fc.tuple(valid, name, fc.oneof(hostileJson, fc.constant(undefined)));
  const text = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value) ?? '');
  const registering = issued.map((n) => JSON.stringify({ fileKey: `{{fileKey:${n}}}`, name: 'a file' }));
  return fc.oneof(
    ...(id === 'registerSiteFile' ? [{ weight: 8, arbitrary: registering }] : []),
    { weight: 6, arbitrary: text(valid) },
    { weight: 3, arbitrary: text(nearlyValid.map(([body, at, wrong]) => ({ ...body, [at]: wrong }))) },
    { weight: 2, arbitrary: hostileBody },
    { weight: 1, arbitrary: fc.constant('x'.repeat(5000)) },
  );
}

const shipping = {
  pieces: fc.constantFrom(1, 1, 2, 5),
  breaksOff: fc.constantFrom(...Array<boolean>(30).fill(false), true),
  after: fc.constantFrom(0, 0, 0, 30, 100, 100, 250, 1000, 150_000),
};

function calls(operation: Operation, seed: TenantSeed, seeds: readonly TenantSeed[]): fc.Arbitrary<FuzzRequest> {
  const others = fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS', 'TRACE', 'get', '', '__proto__');
  const method = mostly(40, fc.constant(operation.method), others);
  const query = hostileText.map((text) => `?${text}`);
  const tail = mostly(40, fc.constant(''), hostileText, query, fc.constantFrom('/', '//', '?', '#'));
  return fc
    .record({
      method,
      ids: segments(operation, seed, seeds),
      tail,
      key: keys(seed, seeds),
      more,
      body: bodies(operation),
      ...shipping,
    })
    .map(({ ids, tail, key, more, ...request }): FuzzRequest => {
      const left = [...ids];
      const url = operation.path.replace(/\{\w+\}/g, () => left.shift() ?? '') + tail;
      const type: Record<string, string> = request.body === null ? {} : { 'content-type': 'application/json' };
      return { ...request, url, altered: null, headers: { host: 'mock.test', ...type, ...key, ...more } };
    });
}

/** A PUT of bytes: to an upload URL as it was issued, to one that was changed somewhere, or to anywhere. */
const uploads: fc.Arbitrary<FuzzRequest> = fc
  .record({
    n: issued,
    altered: mostly<FuzzRequest['altered']>(4, fc.constant(null), fc.record({ at: fc.nat(420), text: hostileText })),
    method: mostly(20, fc.constant('PUT'), fc.constantFrom('GET', 'POST')),
    type: mostly<string | null>(6, fc.constant(null), headerText),
    body: fc.oneof(hostileText, fc.constant(null), fc.constant('b'.repeat(10_000))),
    ...shipping,
  })
  .map(
    ({ n, type, ...request }): FuzzRequest => ({
      ...request,
      url: `{{url:${n}}}`,
      headers: { host: 'mock.test', 'content-type': type ?? `{{type:${n}}}` },
    }),
  );

/** What its own client does with a file whose upload it started. */
const registrations: fc.Arbitrary<FuzzRequest> = fc.record({ n: issued, ...shipping }).map(
  ({ n, ...request }): FuzzRequest => ({
    ...request,
    method: 'POST',
    url: `/v1/site/{{site:${n}}}/file`,
    altered: null,
    headers: { host: 'mock.test', 'content-type': 'application/json', 'x-api-key': `{{key:${n}}}` },
    body: JSON.stringify({ fileKey: `{{fileKey:${n}}}`, name: 'a file' }),
  }),
);

/** Requests to the whole API and to its storage target: valid, nearly valid and hostile ones. */
export function requestValues(seeds: readonly TenantSeed[]): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...seeds.flatMap((seed) =>
      operationList.map((operation) => ({
        weight: operation.id === 'startSiteFileUpload' ? 4 : operation.pathParameters.length > 0 ? 2 : 1,
        arbitrary: calls(operation, seed, seeds),
      })),
    ),
    { weight: 12, arbitrary: uploads },
    { weight: 6, arbitrary: registrations },
  );
}
