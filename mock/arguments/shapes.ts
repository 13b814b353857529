import { operationIds, scopes } from '../../spec/operations.ts';
import { anything, either, fits, listOf, object, oneOf, type Shape, text, whole } from './shape.ts';

/** The shapes of arguments of the library. The control API uses them too. */

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value);
const aboveZero = fits((value) => isNumber(value) && value > 0, 'must be a number above 0');
const milliseconds = fits((value) => isNumber(value) && value >= 0 && Number.isFinite(value), 'must be milliseconds');
export const duration = either('must be milliseconds or text such as "250ms", "2s", "5m"', milliseconds, text());

const maxRate = 1_000_000;
const rateLimit = object(
  {
    perSecond: fits(
      (value) => isNumber(value) && value > 0 && value <= maxRate,
      `must be above 0 and at most ${maxRate}`,
    ),
    burst: whole(1, maxRate),
  },
  ['perSecond', 'burst'],
);
const aboveZeroMilliseconds = fits((value) => isNumber(value) && value > 0, '');
/** A duration as text, which must be neither empty nor zero. Its form is checked when it is parsed. */
const durationText = fits((value) => typeof value === 'string' && value !== '' && Number.parseFloat(value) !== 0, '');
const isName = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= 100;
const nullable =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? [] : shape(value);
const scopeList = listOf(oneOf(scopes));

const keyProperties = { name: fits(isName, 'must have 1 to 100 characters'), scopes: scopeList, rateLimit };
export const newKey = object(keyProperties, ['name', 'scopes']);
export const newKeyOfTenant = object({ tenant: text(), ...keyProperties }, ['tenant', 'name', 'scopes']);
const edit = object({ scopes: scopeList, rateLimit: nullable(rateLimit) });
export const keyEdit: Shape = (value) => {
  const problems = edit(value);
  const { scopes: some, rateLimit: limit } = (value ?? {}) as Record<string, unknown>;
  if (problems.length > 0 || some !== undefined || limit !== undefined) return problems;
  return [{ path: [], message: 'must have scopes or rateLimit' }];
};

const latency = either(
  'must be a duration such as "200ms", {mean, deviation} or {median, p99}',
  duration,
  object({ mean: duration, deviation: duration }, ['mean', 'deviation']),
  object({ median: duration, p99: duration }, ['median', 'p99']),
);

/** Headers that say how a reply is transmitted. The adapter sets them; a wrong value would break the transmission. */
const transportHeader = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

const headers = fits(
  (value: object) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object of headers',
);
const replyHeaders = (value: unknown) => {
  const problems = headers(value);
  if (problems.length > 0) return problems;
  return Object.entries(value as object).flatMap(([name, content]: [string, unknown]) => {
    const at = (message: string) => [{ path: [name.slice(0, 40)], message }];
    if (transportHeader.test(name)) return at('is set by the server itself; use drop or damage to break a reply');
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return at('must be the name of a header');
    return typeof content === 'string' && /^[\t\x20-\x7e]*$/.test(content) ? [] : at('must be visible ASCII');
  });
};

const statusReply = object(
  {
    status: whole(200, 599),
    code: text(),
    message: text(),
    body: anything,
    retryAfter: whole(0),
    headers: replyHeaders,
  },
  ['status'],
);

const operationId = oneOf(operationIds);
const requests = { operationId, tenant: text(), key: text(), method: text(), path: text() };

const fault = object({
  ...requests,
  times: whole(1),
  lasts: either('must be a duration above 0, such as "30s"', aboveZeroMilliseconds, durationText),
  probability: fits((value) => isNumber(value) && value >= 0 && value <= 1, 'must be a number from 0 to 1'),
  seed: whole(Number.MIN_SAFE_INTEGER),
  burst: whole(1),
  reply: statusReply,
  latency,
  drop: oneOf(['before', 'after']),
  damage: oneOf(['truncated', 'malformed']),
});
const effects = ['reply', 'latency', 'drop', 'damage'] as const;

export const faultSpec: Shape = (value) => {
  const problems = fault(value);
  if (problems.length > 0 || effects.some((name) => (value as Record<string, unknown>)[name] !== undefined)) {
    return problems;
  }
  return [{ path: [], message: 'a fault needs an effect: give reply, latency, drop or damage' }];
};

const status = either(
  'must be a status such as 404, or a class such as 4xx',
  whole(100, 599),
  fits((value) => typeof value === 'string' && /^[1-5]xx$/.test(value), ''),
);
const instant = either(
  'must be milliseconds since 1970 or a date and time such as 2026-11-21T10:00:00Z',
  milliseconds,
  fits((value: unknown) => value instanceof Date && !Number.isNaN(value.getTime()), ''),
  fits(
    (value: unknown) =>
      typeof value === 'string' &&
      /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
      !Number.isNaN(Date.parse(value)),
    '',
  ),
);
const content = either(
  'must be a text, or properties of a JSON body',
  text(16_384),
  fits((value: unknown) => typeof value === 'object' && value !== null, ''),
);
const headerValues = (value: unknown) => {
  const problems = headers(value);
  if (problems.length > 0) return problems;
  return Object.entries(value as object).flatMap(([name, wanted]) =>
    typeof wanted === 'string' ? [] : [{ path: [name.slice(0, 40)], message: 'must be a text' }],
  );
};

export const journalQuery = object({
  ...requests,
  status,
  since: instant,
  until: instant,
  headers: headerValues,
  body: content,
  replyHeaders: headerValues,
  replyBody: content,
});

export const sequence = listOf(journalQuery);

/** Checks an object with at least one of the two bounds. */
const bounds = (shape: Shape): Shape => {
  const both = object({ atLeast: shape, atMost: shape });
  return (value) => {
    const problems = both(value);
    const { atLeast, atMost } = (value ?? {}) as Record<string, unknown>;
    if (problems.length > 0 || atLeast !== undefined || atMost !== undefined) return problems;
    return [{ path: [], message: 'must have atLeast or atMost' }];
  };
};

export const gaps = bounds(duration);

export const times = either('must be a whole number, or {atLeast, atMost}', whole(0), bounds(whole(0)));

const verifyProperties = { query: journalQuery, times, sequence, gaps };
const verifications = ['times', 'sequence', 'gaps'] as const;
export const verifyRequest: Shape = (value) => {
  const problems = object(verifyProperties)(value);
  if (problems.length > 0) return problems;
  const given = verifications.filter((name) => (value as Record<string, unknown>)[name] !== undefined);
  if (given.length === 0) return [{ path: ['times'], message: 'is missing (or give sequence, or gaps)' }];
  return given.length === 1 ? [] : [{ path: [given[1] ?? ''], message: `does not go together with ${given[0]}` }];
};

export const mockOptions = object({
  seeds: anything,
  rateLimit: either(
    'must be false, or {perSecond, burst} with numbers above 0',
    fits((value) => value === false, ''),
    object({ perSecond: aboveZero, burst: aboveZero }),
  ),
  profile: anything,
  publicUrl: fits(
    (value: unknown) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value),
    'must be an http or https URL',
  ),
  bodyLimit: aboveZero,
  storageLimit: fits((value) => isNumber(value) && value >= 0, 'must be a number of bytes'),
  clock: anything,
  files: anything,
  uploadSecret: text(),
  journal: either(
    'must be false, or {entries, bytes, bodyBytes} with whole numbers',
    fits((value) => value === false, ''),
    object({ entries: whole(0), bytes: whole(0), bodyBytes: whole(0) }),
  ),
  latency,
  createLimiter: anything,
  onError: anything,
});
