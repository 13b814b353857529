// The small form of zod, because every mock loads it.
import * as z from 'zod/mini';
import { strictObject } from 'zod/mini';
import { problemLine, tried } from '../../spec/files/shape-problems.ts';
import { scopes as knownScopes, operationIds, type Scope } from '../../spec/operations.ts';
import { MockError } from '../mock-error.ts';

/** The arguments of the library. The control API takes the same, and its OpenAPI document is written from them. */

const described = (description: string) => z.meta({ description });
const named = (id: string, description: string) => z.meta({ id, description });
export const optional = <Schema extends z.core.$ZodType>(schema: Schema, description?: string) => {
  const made = z.optional(schema);
  return description === undefined ? made : made.check(described(description));
};

const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .int('must be a whole number')
    .check(
      z.gte(min, min === 0 ? 'must not be negative' : `must be at least ${min}`),
      z.lte(max, `must be at most ${max}`),
    );

/** Makes its value when it is first asked for: a mock without options needs no schema before its first reply, and each takes time to make. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};

export const values = once(() => {
  const text = z
    .string()
    .check(z.minLength(1, 'must not be empty'), z.maxLength(2_000, 'must have at most 2000 characters'));
  const milliseconds = z.number().check(z.gte(0, 'must not be negative'));

  const duration = z
    .union([milliseconds, text], 'must be milliseconds or text such as "250ms", "2s", "5m"')
    .check(described('Milliseconds, or text such as 250ms, 2s, 5m.'));

  const latency = z
    .union(
      [duration, strictObject({ median: duration, p99: duration })],
      'must be a duration such as "200ms", or {median, p99}',
    )
    .check(described('A fixed duration, or a distribution with a long tail.'));

  const journalOptions = strictObject({
    entries: optional(whole(0)),
    bytes: optional(whole(0)),
    bodyBytes: optional(whole(0)),
  });

  return { text, milliseconds, duration, latency, journalOptions };
});

export const shapes = once(() => {
  const { text, milliseconds, duration, latency } = values();
  const maxRate = 1_000_000;
  const rate = `must be above 0 and at most ${maxRate}`;
  const rateLimit = strictObject({
    perSecond: z.number().check(z.gt(0, rate), z.lte(maxRate, rate)),
    burst: whole(1, maxRate),
  }).check(named('RateLimit', 'Requests per second and burst.'));

  const scopes = z.array(z.enum(knownScopes)) as z.ZodMiniType<readonly Scope[]>;
  const key = {
    name: z
      .string()
      .check(z.refine((name) => name.trim() !== '' && name.length <= 100, 'must have 1 to 100 characters')),
    scopes,
    rateLimit: optional(rateLimit),
  };
  const newKey = strictObject(key);
  const newKeyOfTenant = strictObject({ tenant: text, ...key }).check(named('NewKey', 'A new key.'));
  const keyEdit = strictObject({ scopes: optional(scopes), rateLimit: optional(z.nullable(rateLimit)) }).check(
    named('KeyEdit', 'Changes of a key. A limit of null sets the default of the mock.'),
  );

  /** Headers that say how a reply is transmitted. The adapter sets them; a wrong value would break the transmission. */
  const transportHeader = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

  const headers = z.record(z.string(), z.string(), {
    error: ({ code }) => (code === 'invalid_type' ? 'must be an object of headers' : undefined),
  });
  const replyHeaders = headers.check(({ value, issues }) => {
    for (const [name, content] of Object.entries(value)) {
      const refuse = (message: string) =>
        issues.push({ code: 'custom', path: [name.slice(0, 40)], message, input: content });
      if (transportHeader.test(name)) refuse('is set by the server itself; use drop or damage to break a reply');
      else if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse('must be the name of a header');
      else if (!/^[\t\x20-\x7e]*$/.test(content)) refuse('must be visible ASCII');
    }
  });

  const statusReply = strictObject({
    status: whole(200, 599),
    code: optional(text),
    message: optional(text),
    body: optional(
      z.unknown(),
      'The whole body, instead of the error body, or of a sample of what the operation answers.',
    ),
    retryAfter: optional(whole(0)),
    headers: optional(replyHeaders),
  }).check(named('StatusReply', 'A reply with a given status.'));

  /** Selects requests. */
  const requests = {
    operationId: optional(z.enum(operationIds)),
    tenant: optional(text),
    key: optional(text, 'The name of an API key.'),
    method: optional(text),
    path: optional(text, 'Without the query; `*` matches any text.'),
  };

  const share = 'must be a number from 0 to 1';
  const lasting = 'must be a duration above 0, such as "30s"';
  const faultSpec = strictObject({
    ...requests,
    path: optional(
      text,
      'Without the query; `*` matches any text. Without it, requests are selected that have an operation, and uploads.',
    ),
    times: optional(whole(1), 'Affects only this many of the next matching requests.'),
    lasts: optional(
      z.union(
        [z.number().check(z.gt(0, lasting)), text.check(z.refine((lasts) => Number.parseFloat(lasts) !== 0, lasting))],
        lasting,
      ),
      "How long the fault is active, by the mock's clock. Milliseconds, or a duration such as 1m.",
    ),
    probability: optional(z.number(share).check(z.gte(0, share), z.lte(1, share))),
    seed: optional(
      z.int('must be a whole number'),
      'Decides which requests a probability selects. The same seed selects the same requests.',
    ),
    paused: optional(z.boolean(), 'Keeps the fault in the list without affecting any request.'),
    reply: optional(statusReply),
    latency: optional(latency),
    drop: optional(
      z.enum(['before', 'after']),
      'Closes the connection without a reply, before or after the operation has run.',
    ),
    damage: optional(z.enum(['truncated', 'malformed'])),
  }).check(
    z.refine(
      ({ reply, latency, drop, damage }) => [reply, latency, drop, damage].some((effect) => effect !== undefined),
      'a fault needs an effect: give reply, latency, drop or damage',
    ),
    named(
      'FaultSpec',
      'Selects requests and says what happens to them. It needs at least one of reply, latency, drop and damage.',
    ),
  );

  const aStatus = 'must be a status such as 404, or a class such as 4xx';
  const aTime = 'must be milliseconds since 1970 or a date and time such as 2026-11-21T10:00:00Z';
  const instant = z
    .union([milliseconds, z.date(), z.iso.datetime({ offset: true, error: aTime })], aTime)
    .check(described('Milliseconds since 1970, or an ISO date-time.'));
  const content = z
    .union(
      [z.string().check(z.minLength(1), z.maxLength(16_384)), z.record(z.string(), z.unknown()), z.array(z.unknown())],
      'must be a text, or properties of a JSON body',
    )
    .check(
      described(
        'A text that the body contains, or JSON: objects must have the given properties, lists the same items.',
      ),
    ) as z.ZodMiniType<string | object>;
  const wantedHeaders = optional(headers, 'Headers by name; `*` in a value matches any text.');

  const journalQuery = strictObject({
    ...requests,
    status: optional(
      z.union([whole(100, 599), z.string().check(z.regex(/^[1-5]xx$/, aStatus)) as StatusClass], aStatus),
      'A status such as 404, or a class such as 4xx.',
    ),
    since: optional(instant),
    until: optional(instant),
    headers: wantedHeaders,
    body: optional(content),
    replyHeaders: wantedHeaders,
    replyBody: optional(content),
  }).check(named('JournalQuery', 'Selects the exchanges that match all given properties.'));

  /** An object with at least one of the two bounds. */
  const bounds = <Bound extends z.core.$ZodType>(bound: Bound) =>
    strictObject({ atLeast: optional(bound), atMost: optional(bound) }).check(
      z.refine((range) => Object.values(range).some((bound) => bound !== undefined), 'must have atLeast or atMost'),
    );

  const gaps = bounds(duration);
  const times = z
    .union([whole(0), bounds(whole(0))], 'must be a whole number, or {atLeast, atMost}')
    .check(described('The exact number, or a range.'));

  const verifications = ['times', 'sequence', 'gaps'] as const;
  const verifyRequest = strictObject({
    query: optional(journalQuery),
    times: optional(times),
    sequence: optional(
      z.array(journalQuery),
      'Instead of times, exchanges that must come in this order. Other exchanges may come between them.',
    ),
    gaps: optional(gaps, "Instead of times, the time between matching exchanges, by the mock's clock."),
  }).check(
    ({ value, issues }) => {
      const [one, another] = verifications.filter((name) => value[name] !== undefined);
      const refuse = (name: string, message: string) =>
        issues.push({ code: 'custom', path: [name], message, input: value });
      if (one === undefined) refuse('times', 'is missing (or give sequence, or gaps)');
      if (another !== undefined) refuse(another, `does not go together with ${one}`);
    },
    z.meta({
      id: 'VerifyRequest',
      description: 'The expected exchanges.',
      oneOf: verifications.map((name) => ({ required: [name] })),
    }),
  );

  return {
    rateLimit,
    newKey,
    newKeyOfTenant,
    keyEdit,
    requests,
    faultSpec,
    journalQuery,
    verifyRequest,
  };
});

type StatusClass = z.ZodMiniType<`${1 | 2 | 3 | 4 | 5}xx`>;

/**
 * A fault to be injected: which requests it affects, how many of them, and what happens to them. It applies after the key
 * and the rate limit were checked and the operation was found. With `reply` or `drop: 'before'` the operation does not run; otherwise it does.
 */
export type FaultSpec = z.infer<ReturnType<typeof shapes>['faultSpec']>;

/** A reply with a given status. `retryAfter` is in seconds; its default is 1 for 429 and 503. */
export type StatusReply = NonNullable<FaultSpec['reply']>;

/** A new key. Without a limit of its own it has that of the mock. */
export type NewKeyOptions = z.infer<ReturnType<typeof shapes>['newKey']>;

/** Changes of a key. A `rateLimit` of null removes the key's own limit. The secret stays the same. */
export type KeyEdit = z.infer<ReturnType<typeof shapes>['keyEdit']>;

/** Selects the exchanges that match all given properties. */
export type JournalQuery = z.infer<ReturnType<typeof shapes>['journalQuery']>;

/**
 * How much a journal keeps: how many exchanges (`entries`: 1,000 by default, 0 keeps none), how much memory they take together (`bytes`:
 * 16 MiB), and how much of each body (`bodyBytes`: 16 KiB).
 */
export type JournalOptions = z.infer<ReturnType<typeof values>['journalOptions']>;

/** @throws MockError `invalid` with every problem and its place */
export function checkArguments(value: unknown, schema: z.core.$ZodType): void {
  const lines = tried(schema, value).problems.map((problem) => problemLine('', problem));
  if (lines.length > 0) throw new MockError('invalid', lines.slice(0, 20).join('; '));
}
