import type { Operation } from '../../spec/operations.ts';
import { statusReply } from '../faults/status-reply.ts';
import type { ApiReply } from '../message.ts';
import { errorReply } from '../refusal.ts';

/**
 * The reply that a client requested with `Prefer: code=NNN`. Only statuses that the contract declares are allowed.
 * @param prefer the header, if there is one; other preferences in it are ignored
 * @returns null if the operation itself answers: no status was requested, or that of a success
 */
export function preferredReply(
  prefer: string | undefined,
  { id, success, statuses }: Operation,
): { reply: ApiReply; why: string } | null {
  if (prefer === undefined) return null;
  const code = /(?:^|[,;\s])code\s*=\s*"?([^",;\s]*)/i.exec(prefer)?.[1];
  if (code === undefined || code === String(success)) return null;
  if (statuses.some((status) => String(status) === code)) {
    return {
      reply: statusReply({ status: Number(code) }),
      why: `The client requested this reply: Prefer: code=${code}.`,
    };
  }
  // A client may have put its key here by mistake, so no more is shown than the portal shows of a key: eight characters.
  const why = `Prefer: code=${code.slice(0, 8)} is not a status that ${id} declares; choose one of ${statuses.join(', ')}.`;
  return { reply: errorReply(400, 'BAD_REQUEST', why), why };
}
