import type { OperationId } from '../spec/operations.ts';
import { type ApiReply, json, recurringJson } from './message.ts';
import type { Reshape } from './profile/reshape.ts';
import type { Tenant } from './store/tenant.ts';

/** Characters of a body up to which its reply is kept: with the number of bodies that are kept, this bounds the memory. */
const maxKeptLength = 16 * 1024;

/** The reply to an operation that succeeded. */
type ReplyOf = (id: OperationId, status: number, body: unknown, tenant: Tenant) => ApiReply;

/**
 * Turns bodies into replies. A frozen body is the same whenever it comes back, so its reply is made once, and lives as long
 * as the body does.
 */
export function createReplies(reshape: Reshape | null): ReplyOf {
  const kept = new WeakMap<object, { readonly id: OperationId; readonly reply: ApiReply }>();
  return (id, status, body, tenant) => {
    const recurring = typeof body === 'object' && body !== null && Object.isFrozen(body);
    if (!recurring) return json(status, reshape === null ? body : reshape(id, body, tenant));
    const known = kept.get(body);
    // Applying and removing a label may answer with one body; a profile may give them two statuses.
    if (known?.id === id && known.reply.status === status) return known.reply;
    const reply = recurringJson(status, reshape === null ? body : reshape(id, body, tenant));
    if ((reply.body?.length ?? 0) <= maxKeptLength) kept.set(body, { id, reply });
    return reply;
  };
}
