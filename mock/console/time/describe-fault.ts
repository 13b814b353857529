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
  const seconds = reply && (reply.retryAfter ?? defaultRetryAfter(reply.status));
  const parts = [
    reply && `answers ${reply.status}`,
    seconds !== undefined && `Retry-After ${seconds}`,
    latency !== undefined && `delays the reply by ${withUnit(latency)}`,
    ...[drop, damage].map((broken) => broken && effects[broken][0]),
  ];
  return parts.filter(Boolean).join(', ');
}

/** Which requests a fault affects, as text. */
export function describeTarget({ operationId, method, path, ...spec }: FaultSpec): string {
  const { key, tenant, probability, times, lasts } = spec;
  const target = [operationId, method, path, key && `key ${key}`, tenant && `tenant ${tenant}`].filter(Boolean);
  const parts = [
    ...(target.length === 0 ? ['all requests'] : target),
    times && `the next ${times}`,
    lasts && `for ${withUnit(lasts)}`,
    probability !== undefined && `${Math.round(probability * 100)}% of them`,
  ];
  return parts.filter(Boolean).join(', ');
}

function withUnit(given: NonNullable<FaultSpec['latency']>): string {
  if (typeof given === 'object') return `${withUnit(given.median)} (median), ${withUnit(given.p99)} (99th percentile)`;
  return typeof given === 'number' ? `${given} ms` : given;
}
