import { z } from 'zod';
import { type OperationId, operations } from '../../spec/operations.ts';

const id = z.string().min(1);

/** A record that labels can be applied to. */
export type Holder = z.output<typeof holderSchema>;
export const holderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal(['conversation', 'site']), id }).readonly(),
  z.object({ kind: z.literal('link'), clientId: id, siteId: id }).readonly(),
]);

export type LabelAct = 'apply' | 'remove';

/** What an operation is about, by its path; null for all of the tenant. @throws Error for a kind of record that no target file names */
export function subjectOf(id: OperationId): Holder['kind'] | 'client' | null {
  const { path } = operations[id];
  if (path.includes('{clientId}')) return 'link';
  const kind = (['conversation', 'site', 'client'] as const).find((one) => path.startsWith(`/v1/${one}/`));
  if (kind === undefined && path.includes('{'))
    throw new Error(`${path}: conformance/target/holder.ts has no such kind`);
  return kind ?? null;
}

/** The operations that apply and remove a label, by kind of holder. */
export const labelOperations = {
  conversation: { apply: 'applyConversationLabel', remove: 'removeConversationLabel' },
  site: { apply: 'applySiteLabel', remove: 'removeSiteLabel' },
  link: { apply: 'applyClientSiteLabel', remove: 'removeClientSiteLabel' },
} as const satisfies Readonly<Record<Holder['kind'], Readonly<Record<LabelAct, OperationId>>>>;

/** What an operation does to the labels of which kind of holder. */
const acts = new Map<OperationId | 'storage' | null, readonly [LabelAct, Holder['kind']]>(
  (['conversation', 'site', 'link'] as const).flatMap((kind) =>
    (['apply', 'remove'] as const).map((act) => [labelOperations[kind][act], [act, kind]] as const),
  ),
);

/** The path parameters for a holder, and for a label if one is given. */
export function holderParams(holder: Holder, label?: string): Readonly<Record<string, string>> {
  const own: Readonly<Record<string, string>> =
    holder.kind === 'link' ? { clientId: holder.clientId, siteId: holder.siteId } : { id: holder.id };
  return label === undefined ? own : { ...own, labelId: label };
}

/** What a request does to the labels of a holder. */
export type LabelWrite = NonNullable<ReturnType<typeof labelWriteOf>>;

/** The label write of a request, from its operation and path parameters; null where the request is none. */
export function labelWriteOf(operation: OperationId | 'storage' | null, params: Readonly<Record<string, string>>) {
  const [act, kind] = acts.get(operation) ?? [];
  if (act === undefined || kind === undefined) return null;
  const { id = '', clientId = '', siteId = '', labelId = '' } = params;
  const holder: Holder = kind === 'link' ? { kind, clientId, siteId } : { kind, id };
  return { act, holder, label: labelId };
}

/** A key for maps of holders. */
export const holderKey = (holder: Holder): string =>
  holder.kind === 'link' ? `link ${holder.clientId} ${holder.siteId}` : `${holder.kind} ${holder.id}`;
