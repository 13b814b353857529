import type { Operation, OperationId } from '../../spec/operations.ts';
import { statusReply } from '../faults/status-reply.ts';
import type { ApiReply } from '../message.ts';
import { errorReply } from '../refusal.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: {
    readonly 'application/json'?: { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> };
  };
}

/**
 * The reply that a client requested in `Prefer`, as with Prism: `code=404` is a status that the contract declares, `example=typical` a named
 * example of the served document, and `dynamic=true` a body made from the schema. Other preferences are ignored.
 * @returns null if the operation itself answers; a body of null stands for one made from the schema
 */
export async function preferredReply(
  prefer: string,
  { id, success, statuses }: Operation,
): Promise<{ reply: ApiReply; why: string } | null> {
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
  const examples = await examplesOf(id, status);
  const body = Object.hasOwn(examples, example) ? examples[example]?.value : undefined;
  if (body === undefined) return refused(`example=${example.slice(0, 8)}`, 'an example', Object.keys(examples));
  return { reply: statusReply({ status, body }), why };
}

/** The named examples of a reply. The document is loaded for the first request that asks for one. */
async function examplesOf(id: OperationId, status: number) {
  const { default: document } = await import('../../spec/generated/openapi.json', { with: { type: 'json' } });
  const items = Object.values(document.paths).flatMap((item) => Object.values(item));
  const operation = items.find(
    (one): one is { operationId: string; responses: Record<string, Response> } =>
      'operationId' in one && one.operationId === id,
  );
  const response = operation?.responses[status];
  const shared = document.components.responses as Readonly<Record<string, Response>>;
  const { content } = (response?.$ref === undefined ? response : shared[response.$ref.split('/').at(-1) ?? '']) ?? {};
  return content?.['application/json']?.examples ?? {};
}
