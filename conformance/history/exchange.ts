import { z } from 'zod';
import { operationIds } from '../../spec/operations.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { perObject } from '../per-object.ts';
import { factsSchema, ruleSchema } from './facts.ts';

/** How the request sent a key. Only `key` authenticates. `replaced` is the secret that a key had before it was regenerated. */
export type Credential = z.output<typeof credential>;
const credential = z.enum([
  'key',
  'none',
  'empty',
  'unknown',
  'bearer',
  'basic',
  'authorization',
  'query',
  'cookie',
  'other-header',
  'other-case',
  'part-of-a-key',
  'replaced',
]);

/** What a rule demands of a PUT: that the store takes the bytes, or refuses them. */
export type Demand = z.output<typeof demand>;
const demand = z.object({ rule: ruleSchema, succeeds: z.boolean() }).readonly();

/** A step on a record: what its labels must be by the model that the run keeps of it, and which rule a difference breaks. */
export type Step = z.output<typeof step>;
const step = z
  .object({
    /** `tenant holder`. */
    record: z.string(),
    /** Ids of the spare labels that it carries after this. */
    carries: z.array(z.string()).readonly(),
    /**
     * `learn`: to see where replies show labels; `write`: a write; `at-once`: one of two writes at the same time, whose replies are open; `refused`: a
     * write that must have no effect; `look`: a look after it.
     */
    part: z.enum(['learn', 'write', 'at-once', 'refused', 'look']),
    /** The rule that a wrong look breaks; null where nothing is judged, as in a window in which nothing is written. */
    rule: ruleSchema.nullable(),
  })
  .readonly();

/** A script is repeated, and beside it a control that leaves the request in question out. What both show was done by somebody else. */
export type Trial = z.output<typeof trial>;
const trial = z
  .object({
    /** Counts the trials of a run. */
    id: z.number(),
    arm: z.enum(['script', 'control']),
    /** Counts the rounds, from 1. */
    round: z.number(),
    /** The rule in question, and the sign that is counted. */
    rule: ruleSchema,
    sign: z.string(),
  })
  .readonly();

const texts = z.record(z.string(), z.string()).readonly();
/** Milliseconds since the epoch of which there is a date. */
export const instant = z.number().min(-8.64e15).max(8.64e15);

/** What a request is for, besides what goes over the wire. */
export type Purpose = z.output<typeof purpose>;
const purpose = z.object({
  script: z.string().describe('Id of the script that sent it.'),
  operation: z
    .literal([...operationIds, 'storage'])
    .nullable()
    .describe('storage: a PUT to an upload URL; null: a path or method that no operation has.'),
  key: z.string().nullable().describe('tenant/key whose secret was sent, in whatever way; null where none was.'),
  credential,
  params: texts.describe(
    'Path parameters by their names in the contract. A PUT has start, the number of the exchange with its URL.',
  ),
  /** False for requests of limiter measurements, which exceed the rate on purpose. */
  paced: z.boolean(),
  facts: factsSchema.optional(),
  demand: demand.optional(),
  /** A PUT to an upload URL with another signature: the first character is changed, or the whole query is that of another upload. */
  tampered: z.enum(['altered', 'of-another']).optional(),
  step: step.optional(),
  trial: trial.optional(),
});

/** One request with its reply, redacted. */
export type Exchange = z.output<typeof exchangeSchema>;
export const exchangeSchema = purpose
  .extend({
    n: z.number().describe('Counts from 1, in the order of sending.'),
    method: z.string(),
    url: z.string(),
    requestHeaders: texts,
    requestBody: z.string().nullable().describe('Text, cut if long; requestBytes is the full size. null: no body.'),
    requestBytes: z.number(),
    sentAt: instant.describe('Milliseconds since the epoch, just before sending; doneAt just after the reply.'),
    doneAt: instant,
    status: z.number().nullable().describe('null where no usable reply came; failure then says why.'),
    /** Names in lower case. */
    headers: texts,
    body: z.string().nullable(),
    /** The bytes of the body are no UTF-8, so that characters were lost when it was read. */
    garbled: z.literal(true).optional(),
    failure: z.string().nullable(),
  })
  .readonly();

export const succeeded = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** The deployment refused the request: a 4xx other than those that ask to come back later. */
export const refused = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429;

type WithBody = Pick<Exchange, 'body'>;

/** The failure of a request that the runner cut off at the end of the run. */
export const cutOff = 'cut off: the run ended';

/** How the failure begins of a request whose reply exceeds what this runner keeps, which is no fault of the deployment. */
export const tooLarge = 'too large for this runner: ';

/** How the failure begins of a request that got no connection from this machine. It says nothing about the contract. */
export const notReached = 'not reached: ';

/** Whether the reply is missing for a reason that is no fault of the deployment. */
export const isNoFault = ({ failure }: Pick<Exchange, 'failure'>): boolean =>
  failure === cutOff || failure?.startsWith(tooLarge) === true || failure?.startsWith(notReached) === true;

/** U+FEFF before a text. JSON must not begin with it (RFC 8259, 8.1), but a reader may ignore it, as the laws about its content do. */
export const byteOrderMark = '\uFEFF';

export const withoutMark = (text: string) => (text.startsWith(byteOrderMark) ? text.slice(1) : text);

/** The body as JSON; undefined where the body is not JSON. */
export const jsonOf = perObject(({ body }: WithBody): unknown => jsonOrUndefined(withoutMark(body ?? '')));

/** The body if it is a JSON object, else an empty object. */
export function objectIn(exchange: WithBody): Readonly<Record<string, unknown>> {
  const json = jsonOf(exchange);
  return isObject(json) ? json : {};
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Place = readonly [path: readonly (string | number)[], value: unknown];

/** Every value at any depth with its path. Many laws walk the same bodies, so the result is cached. */
export const valuesOf = (value: unknown): readonly Place[] =>
  typeof value === 'object' && value !== null ? placesIn(value) : [[[], value]];

const placesIn = perObject((value: object): readonly Place[] => [...walk(value, [])]);

function* walk(value: unknown, path: Place[0]): Generator<Place> {
  yield [path, value];
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* walk(item, [...path, i]);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* walk(item, [...path, name]);
}
