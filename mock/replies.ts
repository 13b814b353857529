import type { OperationId } from '../spec/operations.ts';
import { type ApiReply, json, recurringJson } from './message.ts';
import type { Reshape } from './profile/reshape.ts';
import type { Tenant } from './store/tenant.ts';

/** Replies with longer bodies (in characters) are not cached, which limits the memory of the cache. */
const maxKeptLength = 16 * 1024;

/** The reply to an operation that succeeded. */
type ReplyOf = (id: OperationId, status: number, body: unknown, tenant: Tenant) => ApiReply;

/**
 * Turns bodies into replies. A frozen body never changes, so its reply is cached for as long as the body exists.
 */
export function createReplies(reshape: Reshape | null): ReplyOf {
  const kept = new WeakMap<object, { readonly id: OperationId; readonly reply: ApiReply }>();
  return (id, status, body, tenant) => {
    const recurring = typeof body === 'object' && body !== null && Object.isFrozen(body);
    if (!recurring) return json(status, reshape === null ? body : reshape(id, body, tenant));
    const known = kept.get(body);
    // Applying and removing a label may return the same body, and a profile may give them different statuses.
    if (known?.id === id && known.reply.status === status) return known.reply;
    const reply = recurringJson(status, reshape === null ? body : reshape(id, body, tenant));
    if ((reply.body?.length ?? 0) <= maxKeptLength) kept.set(body, { id, reply });
    return reply;
  };
}
