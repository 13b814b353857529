import type { Operation } from '../../spec/operations.ts';
import { statusReply } from '../faults/status-reply.ts';
import type { ApiReply } from '../message.ts';
import { errorReply } from '../refusal.ts';

/**
 * The reply that a client asked for with `Prefer: code=NNN`, restricted to the statuses that the contract declares.
 * @param prefer the header, if there was one; other preferences in it are ignored
 * @returns null where the operation itself is to answer: nothing was asked, or its success was
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
      why: `The client asked for this reply: Prefer: code=${code}.`,
    };
  }
  // Eight characters at most: a client may have put its key here by mistake, and the portal shows as many of a key.
  const why = `Prefer: code=${code.slice(0, 8)} is none of the statuses that ${id} declares: ${statuses.join(', ')}.`;
  return { reply: errorReply(400, 'BAD_REQUEST', why), why };
}
