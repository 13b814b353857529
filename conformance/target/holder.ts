import type { OperationId } from '../../spec/operations.ts';

/** Something labels can be put on. */
export type Holder =
  | { readonly kind: 'conversation'; readonly id: string }
  | { readonly kind: 'site'; readonly id: string }
  | { readonly kind: 'link'; readonly clientId: string; readonly siteId: string };

export type LabelAct = 'apply' | 'remove';

type LabelOperation =
  | 'applyConversationLabel'
  | 'removeConversationLabel'
  | 'applySiteLabel'
  | 'removeSiteLabel'
  | 'applyClientSiteLabel'
  | 'removeClientSiteLabel';

const acts: Readonly<Record<LabelOperation, readonly [LabelAct, Holder['kind']]>> = {
  applyConversationLabel: ['apply', 'conversation'],
  removeConversationLabel: ['remove', 'conversation'],
  applySiteLabel: ['apply', 'site'],
  removeSiteLabel: ['remove', 'site'],
  applyClientSiteLabel: ['apply', 'link'],
  removeClientSiteLabel: ['remove', 'link'],
};

/** The operations that put a label on such a holder and take it off. */
export const labelOperations: Readonly<Record<Holder['kind'], Readonly<Record<LabelAct, LabelOperation>>>> = {
  conversation: { apply: 'applyConversationLabel', remove: 'removeConversationLabel' },
  site: { apply: 'applySiteLabel', remove: 'removeSiteLabel' },
  link: { apply: 'applyClientSiteLabel', remove: 'removeClientSiteLabel' },
};

/** The path parameters that name a holder, and a label where one is given. */
export function holderParams(holder: Holder, label?: string): Readonly<Record<string, string>> {
  const own: Readonly<Record<string, string>> =
    holder.kind === 'link' ? { clientId: holder.clientId, siteId: holder.siteId } : { id: holder.id };
  return label === undefined ? own : { ...own, labelId: label };
}

/** What a request does to labels, read from its operation and path parameters; null where it does nothing to them. */
export interface LabelWrite {
  readonly act: LabelAct;
  readonly holder: Holder;
  readonly label: string;
}

export function labelWriteOf(
  operation: OperationId | 'storage' | null,
  params: Readonly<Record<string, string>>,
): LabelWrite | null {
  if (operation === null || !Object.hasOwn(acts, operation)) return null;
  const [act, kind] = acts[operation as LabelOperation];
  const { id = '', clientId = '', siteId = '', labelId = '' } = params;
  const holder: Holder = kind === 'link' ? { kind, clientId, siteId } : { kind, id };
  return { act, holder, label: labelId };
}

/** Names a holder in maps: equal for equal holders. */
export const holderKey = (holder: Holder): string =>
  holder.kind === 'link' ? `link ${holder.clientId} ${holder.siteId}` : `${holder.kind} ${holder.id}`;
