import { afterAll, expect, it } from 'vitest';
import { createServedMock } from '../adapters/create-served-mock.ts';
import { MockError } from '../mock-error.ts';

const mock = await createServedMock();
const { url } = await mock.listen({ port: 0 });
afterAll(() => mock.close());

/** The library without its types, as whoever writes JavaScript has it. */
// biome-ignore lint/suspicious/noExplicitAny: what is wrong here is wrong on purpose
const untyped = mock as any;
const full = mock.keys.find({ tenant: 'acme', name: 'full' }).id;

type Refused = readonly [name: string, call: () => unknown, request: readonly [string, string, unknown], words: string];

const refused: readonly Refused[] = [
  ...(
    [
      [
        { reply: { status: 503 }, operationId: 'listLables' },
        'operationId: unknown value "listLables"; did you mean "listLabels"?',
      ],
      [{ reply: { status: '503' } }, 'reply.status: must be a whole number'],
      [{ reply: { status: 600 } }, 'reply.status: must be at most 599'],
      [
        { reply: { status: 503, headers: { 'content-length': '1' } } },
        'reply.headers.content-length: is set by the server itself',
      ],
      [{ reply: { status: 503, headers: { 'x-a': 'a\r\nb: c' } } }, 'reply.headers.x-a: must be visible ASCII'],
      [{ drop: 'before', times: 0 }, 'times: must be at least 1'],
      [{ drop: 'sometimes' }, 'drop: unknown value "sometimes"'],
      [{ drop: 'before', probability: Number('2') }, 'probability: must be a number from 0 to 1'],
      [{ drop: 'before', tennant: 'acme' }, 'tennant: unknown property; did you mean "tenant"?'],
      [{ drop: 'before', tenant: 'nobody' }, 'tenant: there is no tenant nobody'],
      [{ latency: '5 parsecs' }, 'not a duration'],
      [{ latency: { median: '1s' } }, 'latency: must be a duration such as "200ms", or {median, p99}'],
      [{ operationId: 'listLabels' }, 'a fault needs an effect'],
      [[], 'must be an object with operationId'],
    ] as const
  ).map(([spec, words]) => ['faults.add', () => untyped.faults.add(spec), ['POST', '/faults', spec], words] as const),
  ...(
    [
      [{ operationId: 'listLables' }, 'operationId: unknown value "listLables"; did you mean "listLabels"?'],
      [{ status: '200' }, 'status: must be a status such as 404, or a class such as 4xx'],
      [{ status: 'bad' }, 'status: must be a status such as 404, or a class such as 4xx'],
      [{ operation: 'listLabels' }, 'operation: unknown property; did you mean "operationId"?'],
      [{ since: 'noon' }, 'since: must be milliseconds since 1970 or a date and time'],
      [{ headers: { accept: 1 } }, 'headers.accept: must be a text'],
      [{ body: 1 }, 'body: must be a text, or properties of a JSON body'],
    ] as const
  ).flatMap(([query, words]): Refused[] => [
    ['journal.count', () => untyped.journal.count(query), ['POST', '/journal/count', query], words],
    ['journal.verify', () => untyped.journal.verify(query, 1), ['POST', '/journal/verify', { query, times: 1 }], words],
    [
      'journal.verifySequence',
      () => untyped.journal.verifySequence([{}, query]),
      ['POST', '/journal/verify', { sequence: [{}, query] }],
      words,
    ],
    [
      'journal.verifyGaps',
      () => untyped.journal.verifyGaps(query, { atLeast: 1 }),
      ['POST', '/journal/verify', { query, gaps: { atLeast: 1 } }],
      words,
    ],
  ]),
  ...(
    [
      [undefined, 'times: is missing'],
      [-1, 'times: must not be negative'],
      ['once', 'times: must be a whole number, or {atLeast, atMost}'],
      [{}, 'times: must have atLeast or atMost'],
      [{ atleast: 1 }, 'times.atleast: unknown property; did you mean "atLeast"?'],
    ] as const
  ).map(
    ([times, words]) =>
      [
        'journal.verify',
        () => untyped.journal.verify({}, times),
        ['POST', '/journal/verify', { times }],
        words,
      ] as const,
  ),
  [
    'journal.verifyGaps',
    () => untyped.journal.verifyGaps({}, {}),
    ['POST', '/journal/verify', { gaps: {} }],
    'must have atLeast or atMost',
  ],
  ...(
    [
      [{ name: 'x' }, 'scopes: is missing'],
      [{ name: '  ', scopes: [] }, 'name: must have 1 to 100 characters'],
      [{ name: 'x', scopes: ['site:reed'] }, 'scopes[0]: unknown value "site:reed"; did you mean "site:read"?'],
      [{ name: 'x', scopes: 'site:read' }, 'scopes: must be a list'],
      [{ name: 'x', scopes: [], rateLimit: { perSecond: -1, burst: 1 } }, 'rateLimit.perSecond: must be above 0'],
      [{ name: 'x', scopes: [], rateLimit: { perSecond: 1, burst: 1.5 } }, 'rateLimit.burst: must be a whole number'],
      [{ name: 'x', scopes: [], rateLimit: { perSecond: 1 } }, 'rateLimit.burst: is missing'],
    ] as const
  ).map(
    ([key, words]) =>
      [
        'createKey',
        () => untyped.keys.create('acme', key),
        ['POST', '/keys', { tenant: 'acme', ...key }],
        words,
      ] as const,
  ),
  [
    'editKey',
    () => untyped.keys.edit(full, { scope: [] }),
    ['PATCH', `/keys/${full}`, { scope: [] }],
    'scope: unknown property; did you mean "scopes"?',
  ],
];

it.each(refused)(
  '%s and the control API refuse the same in the same words (%#)',
  async (_, call, [method, path, body], words) => {
    const before = JSON.stringify([mock.faults.list(), mock.keys.list('acme').map(({ scopes }) => [...scopes])]);
    expect(call).toThrow(words);
    const reply = await fetch(`${url}/_mock${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = (await reply.json()) as { error: { message: string } };
    expect([reply.status, error.message]).toEqual([400, expect.stringContaining(words)]);
    expect(JSON.stringify([mock.faults.list(), mock.keys.list('acme').map(({ scopes }) => [...scopes])])).toBe(before);
  },
);

it.each([
  [{ rateLimit: true }, 'rateLimit: must be false, or {perSecond, burst} with numbers above 0'],
  [{ rateLimit: { perSecond: -1 } }, 'rateLimit.perSecond: must be a number above 0'],
  [{ ratelimit: false }, 'ratelimit: unknown property; did you mean "rateLimit"?'],
  [{ storageLimit: '1GB' }, 'storageLimit: must be a number of bytes'],
  [{ journal: 1 }, 'journal: must be false'],
  [{ journal: { entries: -1 } }, 'journal.entries: must not be negative'],
  [{ publicUrl: 'mock.internal' }, 'publicUrl: must be an http or https URL'],
  [null, 'must be an object with seeds'],
  [4010, 'must be an object with seeds'],
])('createMock(%j) says what is wrong', async (options, words) => {
  const { createMock } = await import('../create-mock.ts');
  const wrong = await createMock(options as object).catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(MockError);
  expect(String(wrong)).toContain(words);
});

it('names all problems at once', () => {
  expect(() => untyped.faults.add({ drop: 'x', times: 0, key: '' })).toThrow(
    /key: must not be empty; times: .*; drop: /,
  );
});
