import type { OperationId } from '../spec/operations.ts';
import type { Holder } from './facts.ts';

/** The operations that put a label on a holder and take it off, and the path parameters that name both. */
export function membershipOf(
  holder: Holder,
  label: string,
): {
  readonly apply: OperationId;
  readonly remove: OperationId;
  readonly params: Readonly<Record<string, string>>;
} {
  switch (holder.kind) {
    case 'conversation':
      return {
        apply: 'applyConversationLabel',
        remove: 'removeConversationLabel',
        params: { id: holder.id, labelId: label },
      };
    case 'site':
      return { apply: 'applySiteLabel', remove: 'removeSiteLabel', params: { id: holder.id, labelId: label } };
    case 'link':
      return {
        apply: 'applyClientSiteLabel',
        remove: 'removeClientSiteLabel',
        params: { clientId: holder.clientId, siteId: holder.siteId, labelId: label },
      };
  }
}
