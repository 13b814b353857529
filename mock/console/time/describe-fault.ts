import { defaultRetryAfter } from '../../faults/status-reply.ts';
import type { FaultSpec } from '../control/control.ts';

/** What a fault can do, each with the part of it that says so. */
export const effects = {
  reply: ['answers with a status', 'reply'],
  latency: ['delays the reply', 'latency'],
  before: ['closes the connection before the operation runs', 'drop'],
  after: ['closes the connection after the operation has run', 'drop'],
  truncated: ['cuts the reply off half-way', 'damage'],
  malformed: ['sends a body that is not JSON', 'damage'],
} as const;

/** What a fault does, as text. */
export function describeEffect({ reply, latency, drop, damage }: FaultSpec): string {
  const parts: string[] = [];
  if (reply !== undefined) {
    const seconds = reply.retryAfter ?? defaultRetryAfter(reply.status);
    const after = seconds === undefined ? '' : `, Retry-After ${seconds}`;
    parts.push(`answers ${reply.status}${after}`);
  }
  if (latency !== undefined) parts.push(`delays the reply by ${describeLatency(latency)}`);
  for (const broken of [drop, damage]) if (broken !== undefined) parts.push(effects[broken][0]);
  return parts.join(', ');
}

/** Which requests a fault affects, as text. */
export function describeTarget({
  tenant,
  key,
  operationId,
  method,
  path,
  probability,
  times,
  lasts,
}: FaultSpec): string {
  const parts = [operationId, method, path, key && `key ${key}`, tenant && `tenant ${tenant}`].filter(Boolean);
  const which = parts.length === 0 ? 'all requests' : parts.join(', ');
  const chance = probability === undefined ? '' : `, ${Math.round(probability * 100)}% of them`;
  const many = times === undefined ? '' : `, the next ${times}`;
  const long = lasts === undefined ? '' : `, for ${withUnit(lasts)}`;
  return which + many + long + chance;
}

const withUnit = (duration: number | string) => (typeof duration === 'number' ? `${duration} ms` : duration);

function describeLatency(latency: NonNullable<FaultSpec['latency']>): string {
  if (typeof latency !== 'object') return withUnit(latency);
  return `${withUnit(latency.median)} (median), ${withUnit(latency.p99)} (99th percentile)`;
}
