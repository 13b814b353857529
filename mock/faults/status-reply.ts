import { samples } from '../../spec/generated/samples.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { StatusReply } from '../arguments/shapes.ts';
import { type ApiReply, json } from '../message.ts';
import { errorCode, errorReply, throttledBody } from '../refusal.ts';

/** The default of `Retry-After`, in seconds. */
export const defaultRetryAfter = (status: number): number | undefined =>
  status === 429 || status === 503 ? 1 : undefined;

/** Replies with these statuses have no body in HTTP, and the Response of fetch refuses one. */
const isBodiless = (status: number) => status === 204 || status === 205 || status === 304;

/** A body for a success, because clients parse it. Undefined if there is none. */
export const sampleOf = (id: OperationId, status: number): unknown =>
  status >= 300 || isBodiless(status) ? undefined : samples[id].made;

/**
 * A reply with that status and the body that the contract gives every operation. A 429 has a body of its own form. What a success has depends on
 * the operation.
 */
export function statusReply({ status, code, message, body, retryAfter, headers = {} }: StatusReply): ApiReply {
  const seconds = retryAfter ?? defaultRetryAfter(status);
  const all = { ...(seconds !== undefined && { 'retry-after': String(seconds) }), ...headers };
  if (body !== undefined && !isBodiless(status)) return json(status, body, all);
  if (status < 400) return { status, headers: all, body: null };
  if (status === 429) return json(status, throttledBody(message), all);
  return errorReply(status, code ?? errorCode(status), message ?? 'A fault or Prefer asked for this reply.', all);
}
