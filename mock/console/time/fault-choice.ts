import { isOperationId } from '../../../spec/operations.ts';
import type { FaultSpec } from '../control/control-types.ts';

/** The effects that the form offers, each with the part of a fault that it sets. */
export const effects = {
  reply: ['Answer with a status', 'reply'],
  latency: ['Delay the reply', 'latency'],
  before: ['Close the connection before the operation runs', 'drop'],
  after: ['Close the connection after it has run', 'drop'],
  truncated: ['Cut the reply off half-way', 'damage'],
  malformed: ['Send a body that is not JSON', 'damage'],
} as const;
type Effect = keyof typeof effects;

/** The values of the form. An empty field sets no limit. */
export interface FaultChoice {
  readonly effect: Effect;
  readonly status: string;
  readonly retryAfter: string;
  readonly latency: string;
  readonly operation: string;
  readonly path: string;
  readonly tenant: string;
  readonly key: string;
  readonly times: string;
  readonly lasts: string;
  readonly percent: string;
}

/** A duration, or a distribution as JSON. */
const latencyOf = (text: string): FaultSpec['latency'] => (text.startsWith('{') ? JSON.parse(text) : text);

/** The form for a fault, at first for one that answers 503. */
export function choiceOf(spec: FaultSpec): FaultChoice {
  const { reply, latency, drop, damage, operationId = '', path = '', tenant = '', key = '' } = spec;
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  return {
    effect: reply !== undefined ? 'reply' : latency !== undefined ? 'latency' : (drop ?? damage ?? 'reply'),
    status: String(reply?.status ?? 503),
    retryAfter: text(reply?.retryAfter),
    latency: typeof latency === 'object' ? JSON.stringify(latency) : String(latency ?? '2s'),
    operation: operationId,
    path,
    tenant,
    key,
    times: text(spec.times),
    lasts: text(spec.lasts),
    percent: spec.probability === undefined ? '' : String(Math.round(spec.probability * 10_000) / 100),
  };
}

function effectOf({ effect, status, retryAfter, latency }: FaultChoice, before: FaultSpec): FaultSpec {
  const wait = retryAfter === '' ? undefined : Number(retryAfter);
  if (effect === 'reply') return { reply: { ...before.reply, status: Number(status), retryAfter: wait } };
  return effect === 'latency' ? { latency: latencyOf(latency) } : { [effects[effect][1]]: effect };
}

/**
 * The fault that the form specifies.
 * @param before the fault that is edited: what the form has no field for stays
 */
export const specOf = (choice: FaultChoice, before: FaultSpec = {}): FaultSpec => ({
  ...before,
  [effects[choiceOf(before).effect][1]]: undefined,
  ...effectOf(choice, before),
  operationId: isOperationId(choice.operation) ? choice.operation : undefined,
  path: choice.path || undefined,
  tenant: choice.tenant || undefined,
  key: choice.key || undefined,
  times: choice.times === '' ? undefined : Number(choice.times),
  // Milliseconds are a number, other durations have a unit.
  lasts: /^\d+$/.test(choice.lasts) ? Number(choice.lasts) : choice.lasts || undefined,
  probability: choice.percent === '' ? undefined : Number(choice.percent) / 100,
});
