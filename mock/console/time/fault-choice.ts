import { isOperationId } from '../../../spec/operations.ts';
import type { FaultSpec } from '../control/control.ts';

/** The effects that the form offers, each with the part of a fault that it sets. */
export const effects = {
  reply: ['Answer with a status', 'reply'],
  latency: ['Delay the reply', 'latency'],
  before: ['Close the connection before the operation runs', 'drop'],
  after: ['Close the connection after it has run', 'drop'],
  truncated: ['Cut the reply off half-way', 'damage'],
  malformed: ['Send a body that is not JSON', 'damage'],
} as const;

/** The values of the form, as text. An empty field sets no limit. */
export type FaultChoice = Readonly<
  Record<'status' | 'retryAfter' | 'latency' | 'operation' | 'path' | 'tenant' | 'key' | 'times' | 'lasts', string>
> & { readonly effect: keyof typeof effects; readonly percent: string };

/** The form for a fault, at first for one that answers 503. */
export function choiceOf({ reply, latency, drop, damage, ...spec }: FaultSpec): FaultChoice {
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  return {
    effect: reply !== undefined ? 'reply' : latency !== undefined ? 'latency' : (drop ?? damage ?? 'reply'),
    status: text(reply?.status ?? 503),
    retryAfter: text(reply?.retryAfter),
    // A duration, or a distribution as JSON.
    latency: typeof latency === 'object' ? JSON.stringify(latency) : text(latency ?? '2s'),
    operation: text(spec.operationId),
    path: text(spec.path),
    tenant: text(spec.tenant),
    key: text(spec.key),
    times: text(spec.times),
    lasts: text(spec.lasts),
    percent: text(spec.probability && Math.round(spec.probability * 10_000) / 100),
  };
}

/**
 * The fault that the form specifies.
 * @param before the fault that is edited: what the form has no field for stays
 */
export function specOf(choice: FaultChoice, before: FaultSpec = {}): FaultSpec {
  const { effect, latency, operation, lasts } = choice;
  const number = (text: string) => (text === '' ? undefined : Number(text));
  const part = effects[effect][1];
  const values = {
    reply: { ...before.reply, status: Number(choice.status), retryAfter: number(choice.retryAfter) },
    latency: latency.startsWith('{') ? JSON.parse(latency) : latency,
    drop: effect,
    damage: effect,
  };
  return {
    ...before,
    [effects[choiceOf(before).effect][1]]: undefined,
    [part]: values[part],
    operationId: isOperationId(operation) ? operation : undefined,
    path: choice.path || undefined,
    tenant: choice.tenant || undefined,
    key: choice.key || undefined,
    times: number(choice.times),
    // Milliseconds are a number, other durations have a unit.
    lasts: /^\d+$/.test(lasts) ? Number(lasts) : lasts || undefined,
    probability: choice.percent === '' ? undefined : Number(choice.percent) / 100,
  };
}
