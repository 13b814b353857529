import { samples } from '../../spec/generated/samples.ts';
import type { Operation } from '../../spec/operations.ts';
import { statusReply } from '../faults/status-reply.ts';
import type { ApiReply } from '../message.ts';
import { errorReply } from '../refusal.ts';

/**
 * The reply that a client requested in `Prefer`, as with Prism: `code=404` is a status that the contract declares, `example=typical` a named
 * example of the served document, and `dynamic=true` a body made from the schema. Other preferences are ignored.
 * @returns null if the operation itself answers; a body of null stands for one made from the schema
 */
export function preferredReply(
  prefer: string,
  { id, success, statuses }: Pick<Operation, 'id' | 'success' | 'statuses'>,
): { reply: ApiReply; why: string } | null {
  const asked = (name: string) => new RegExp(`(?:^|[,;\\s])${name}\\s*=\\s*"?([^",;\\s]*)`, 'i').exec(prefer)?.[1];
  const [code = String(success), example] = [asked('code'), asked('example')];
  const isDynamic = asked('dynamic')?.toLowerCase() === 'true';
  if (code === String(success) && example === undefined && !isDynamic) return null;
  // A client may have put its key here by mistake, so no more is shown than the portal shows of a key: eight characters.
  const refused = (said: string, what: string, names: readonly unknown[]) => {
    const why = `Prefer: ${said} is not ${what} that ${id} declares; choose one of ${names.join(', ')}.`;
    return { reply: errorReply(400, 'BAD_REQUEST', why), why };
  };
  if (!statuses.some((status) => String(status) === code))
    return refused(`code=${code.slice(0, 8)}`, 'a status', statuses);
  const status = Number(code);
  const requested = [
    `code=${code}`,
    example !== undefined && `example=${example.slice(0, 8)}`,
    isDynamic && 'dynamic=true',
  ];
  const why = `The client requested this reply: Prefer: ${requested.filter(Boolean).join(', ')}.`;
  // The error body is the only example of a refusal.
  if (example === undefined || isDynamic || status >= 300) return { reply: statusReply({ status }), why };
  const { named } = samples[id];
  const body = Object.hasOwn(named, example) ? named[example] : undefined;
  if (body === undefined) return refused(`example=${example.slice(0, 8)}`, 'an example', Object.keys(named));
  return { reply: statusReply({ status, body }), why };
}
