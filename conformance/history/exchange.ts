import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import type { Facts } from './facts.ts';

/** How the request sent a key. Only `key` authenticates. `replaced` is the secret that a key had before it was regenerated. */
export type Credential =
  | 'key'
  | 'none'
  | 'empty'
  | 'unknown'
  | 'bearer'
  | 'basic'
  | 'authorization'
  | 'query'
  | 'cookie'
  | 'other-header'
  | 'elsewhere'
  | 'other-case'
  | 'part-of-a-key'
  | 'replaced';

/** Headers other than x-api-key that `other-header` sends a key in. */
export const otherHeaders = ['api-key', 'x-api-token', 'apikey'] as const;

/** One request with its reply, redacted. */
export interface Exchange {
  /** Counts from 1, in the order of sending. */
  readonly n: number;
  /** Id of the script that sent it. */
  readonly script: string;
  /** `storage`: a PUT to an upload URL; null: a path or method that no operation has. */
  readonly operation: OperationId | 'storage' | null;
  /** `tenant/key` whose secret was sent, in whatever way; null where none was. */
  readonly key: string | null;
  readonly credential: Credential;
  /** Path parameters by their names in the contract. A PUT to an upload URL has `start`, the number of the exchange with the URL. */
  readonly params: Readonly<Record<string, string>>;
  /** What is unusual about the request, apart from its key and ids: `body/additional-property`; null where nothing is. */
  readonly twist: string | null;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Text, cut if long; `requestBytes` is the full size. Null where there was no body. */
  readonly requestBody: string | null;
  readonly requestBytes: number;
  /** Milliseconds since the epoch, just before sending and just after the reply. No two times of a run are equal. */
  readonly sentAt: number;
  readonly doneAt: number;
  /** Null where no usable reply came; `failure` then says why. */
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The bytes of the body are no UTF-8, so that characters were lost when it was read. */
  readonly garbled?: true;
  readonly failure: string | null;
  /** False for requests of limiter measurements, which exceed the rate on purpose. */
  readonly paced: boolean;
  /** What was asked, as the contract sees it. */
  readonly facts?: Facts;
  /** What a rule demands of a PUT to an upload URL. */
  readonly demand?: Demand;
  /** Its part in a step on a record. */
  readonly step?: Step;
  /** The trial in which it was sent, and for which arm. */
  readonly trial?: Trial;
}

/** What a rule demands of a PUT: that the store takes the bytes, or refuses them. */
export interface Demand {
  readonly rule: RuleId;
  readonly succeeds: boolean;
}

/** A step on a record: what its labels must be by the model that the run keeps of it, and which rule a difference breaks. */
export interface Step {
  /** `tenant holder`. */
  readonly record: string;
  /** Ids of the spare labels that it carries after this. */
  readonly carries: readonly string[];
  /**
   * `learn`: to see where replies show labels; `write`: a write; `at-once`: one of two writes at the same time, whose replies are open; `refused`: a
   * write that must have no effect; `look`: a look after it.
   */
  readonly part: 'learn' | 'write' | 'at-once' | 'refused' | 'look';
  /** The rule that a wrong look breaks; null where nothing is judged, as in a window in which nothing is written. */
  readonly rule: RuleId | null;
}

/** A script is repeated, and beside it a control that leaves the request in question out. What both show was done by somebody else. */
export interface Trial {
  /** Counts the trials of a run. */
  readonly id: number;
  readonly arm: 'script' | 'control';
  /** Counts the rounds, from 1. */
  readonly round: number;
  /** The rule in question, and the sign that is counted. */
  readonly rule: RuleId;
  readonly sign: string;
}

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

const parsed = new WeakMap<WithBody, unknown>();

/** Equal bodies are parsed once, and share what laws find in them: eight of nine replies repeat another. */
const byText = new Map<string, unknown>();
/** Then they are forgotten, so that a process that judges many histories does not keep the bodies of all. */
const maxTexts = 1_000;

/** U+FEFF before a text. JSON must not begin with it (RFC 8259, 8.1), but a reader may ignore it, as the laws about its content do. */
export const byteOrderMark = '\uFEFF';

export const withoutMark = (text: string) => (text.startsWith(byteOrderMark) ? text.slice(1) : text);

/** The body as JSON; undefined where the body is not JSON. */
export function jsonOf(exchange: WithBody): unknown {
  if (parsed.has(exchange)) return parsed.get(exchange);
  const text = withoutMark(exchange.body ?? '');
  const json = byText.has(text) ? byText.get(text) : jsonOrUndefined(text);
  if (byText.size >= maxTexts) byText.clear();
  byText.set(text, json);
  parsed.set(exchange, json);
  return json;
}

/** The body if it is a JSON object, else an empty object. */
export function objectIn(exchange: WithBody): Readonly<Record<string, unknown>> {
  const json = jsonOf(exchange);
  return isObject(json) ? json : {};
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Place = readonly [path: readonly (string | number)[], value: unknown];

const places = new WeakMap<object, readonly Place[]>();

/** Every value at any depth with its path. Many laws walk the same bodies, so the result is cached. */
export function valuesOf(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [[[], value]];
  const values = places.get(value) ?? [...walk(value, [])];
  places.set(value, values);
  return values;
}

function* walk(value: unknown, path: Place[0]): Generator<Place> {
  yield [path, value];
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* walk(item, [...path, i]);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* walk(item, [...path, name]);
}
