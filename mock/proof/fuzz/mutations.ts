import fc from 'fast-check';
import { defaultSeeds } from '../../seed/generated/tenants.ts';

/** A request to send, as plain values. */
export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Texts on which parsers, paths, headers, logs and pages have broken before. */
const known = [
  ...['', '..', '../../etc/passwd', '%', '%zz', '\u0000', '\r\nx-injected: 1', '__proto__', 'constructor'],
  ...['hasOwnProperty', 'null', '1e309', "' or '1'='1", '<script>alert(1)</script>', ']]>', '\ud800'],
  ...['\u202egnp.exe', '\ufeff', 'e\u0301', 'İ', 'a'.repeat(300), '%41'.repeat(100), 'ovcid-', 'ovcid-%00'],
  ...['00000000-0000-0000-0000-000000000000', 'c0000001-0000-4000-8000-00000000000'],
];

/** Any text, the known troublemakers often. */
const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...known) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
);

/** Any JSON value, small, as text. */
const hostileJson = fc
  .oneof(hostileText, fc.constantFrom(-0, 2 ** 53 + 2, 1e308, [[[[]]]]), fc.double(), fc.jsonValue({ maxDepth: 2 }))
  .map((value) => JSON.stringify(value));

/** Text that is not JSON, or only nearly, JSON that few expect, and a body that is too large. */
const hostileBody = fc.oneof(
  fc.constantFrom(
    ...['', 'null', '{', '{"contentType":', '{"contentType":"a/b","contentType":1}', '{"fileKey":1e400}', 'NaN'],
    ...['{"__proto__":{"contentType":"a/b"}}', '\ufeff{"contentType":"a/b"}', 'x'.repeat(5000)],
    ...['[['.repeat(200), `${'['.repeat(400)}${']'.repeat(400)}`],
  ),
  hostileText,
  hostileJson,
);

/** Text as the value of a header can be, once a server has read it: no control characters but the tab. */
const headerText = hostileText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim());

/** A lone half of a surrogate pair cannot be percent-encoded: on the wire it would be the replacement character. */
const encoded = hostileText.map((text) => encodeURIComponent(text.toWellFormed()));

const secrets = defaultSeeds.flatMap(({ keys }) => keys.map(({ secret }) => secret));
const preferences = ['code=200', 'code=404', 'code=429', 'code=503', 'code=x', 'example=typical', 'dynamic=true'];
const names = ['origin', 'content-type', 'content-length', 'expect', 'host', 'x-forwarded-host', 'cookie'] as const;

/** One part of the path, its own segments behind the version. */
const segment = ({ url }: FuzzRequest, text: string, at: number) => {
  const parts = url.split('/');
  return { url: parts.with(2 + (at % (parts.length - 2)), text).join('/') };
};
const header = (name: string) => (request: FuzzRequest, text: string) => ({
  headers: { ...request.headers, [name]: text },
});

/** What may be wrong with a request that was lawful: the part, what takes its place, and how. */
const parts = {
  method: [
    fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS', 'TRACE', 'get', '', '__proto__'),
    (_: FuzzRequest, method: string) => ({ method }),
  ],
  segment: [encoded, segment],
  // As it is: with slashes, question marks and broken percent-encoding.
  rawSegment: [hostileText, segment],
  tail: [
    fc.oneof(
      hostileText,
      hostileText.map((text) => `?${text}`),
      fc.constantFrom('/', '//', '?', '#'),
    ),
    ({ url }: FuzzRequest, text: string) => ({ url: url + text }),
  ],
  character: [
    hostileText,
    ({ url }: FuzzRequest, text: string, at: number) => ({ url: url.slice(0, at) + text + url.slice(at + 1) }),
  ],
  key: [
    fc.oneof(fc.constantFrom(...secrets, ...secrets.map((one) => `${one}, ${one}`)), headerText),
    header('x-api-key'),
  ],
  authorization: [
    fc.constantFrom(...secrets).map((secret) => `Bearer ${secret}`),
    (_: FuzzRequest, authorization: string) => ({ headers: { host: 'mock.test', authorization } }),
  ],
  prefer: [fc.oneof(fc.constantFrom(...preferences), headerText), header('prefer')],
  header: [headerText, (request: FuzzRequest, text: string, at: number) => header(names[at % 7] ?? '')(request, text)],
  body: [hostileBody, (_: FuzzRequest, body: string) => ({ body })],
  property: [
    hostileJson,
    ({ body }: FuzzRequest, value: string, at: number) => {
      const name = ['contentType', 'fileKey', 'name', '__proto__', value][at % 5];
      return body?.startsWith('{') ? { body: `${body.slice(0, -1)},${JSON.stringify(name)}:${value}}` } : {};
    },
  ],
} as const satisfies Record<
  string,
  readonly [fc.Arbitrary<string>, (request: FuzzRequest, text: string, at: number) => Partial<FuzzRequest>]
>;

/** A change of one part of a request. */
export interface Mutation {
  readonly part: keyof typeof parts;
  readonly text: string;
  /** Where, for parts of which there are several. */
  readonly at: number;
}

export const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  ...(Object.keys(parts) as Mutation['part'][]).map((part) =>
    fc.record({ part: fc.constant(part), text: parts[part][0], at: fc.nat(420) }),
  ),
);

export const mutated = (request: FuzzRequest, { part, text, at }: Mutation): FuzzRequest => ({
  ...request,
  ...parts[part][1](request, text, at),
});
