import { type OperationId, operations, type Scope } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';

/** The documented rule about the scopes of an operation, where there is one. */
export const scopeRules: Readonly<Partial<Record<OperationId, RuleId>>> = {
  getConversationContext: 'scopes/context-needs-conversation-read',
  startSiteFileUpload: 'scopes/upload-needs-sitefile-write',
  applyConversationLabel: 'scopes/conversation-labels-need-conversation-write',
  removeConversationLabel: 'scopes/conversation-labels-need-conversation-write',
  removeClientSiteLabel: 'scopes/link-remove-needs-both',
};

/** The documented scopes of an operation; null where no rule names any. */
export const namedScopes = (operation: OperationId | 'storage' | null): readonly Scope[] | null =>
  operation === null || operation === 'storage' || scopeRules[operation] === undefined
    ? null
    : operations[operation].scopes;
