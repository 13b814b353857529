import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, type Asked, as, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId, Scope } from '../../../../spec/operations.ts';
import type { Defect } from '../../tampering/defect.ts';
import { carryOut, labelWriteOf } from '../../tampering/label-write.ts';

/** Serves some operations to keys that lack a scope. */
const unguarded = (ids: readonly OperationId[], enough: (asked: Asked) => boolean = () => true) =>
  onReply((answered) => {
    const { id, refused, key, mock, request } = answered;
    if (refused !== 'missing-scope' || key === undefined || !ids.some((one) => one === id) || !enough(answered))
      return undefined;
    return answered.ask(as(mock, request, key.tenant));
  });

const holds = (scope: Scope) => (asked: Asked) => asked.key?.scopes.has(scope) ?? false;

/** Demands one scope more than the specification names. */
const greedy = (ids: readonly OperationId[], scope: Scope) =>
  instead(({ id, key }) =>
    key !== undefined && !key.revoked && ids.some((one) => one === id) && !key.scopes.has(scope)
      ? errorWith(403, 'FORBIDDEN')
      : undefined,
  );

/** Refuses because of a missing scope, but executes the write. */
const doneAnyway = (does: 'apply' | 'remove', on: 'conversation' | 'link') =>
  onReply((answered: Answered) => {
    const write = answered.refused === 'missing-scope' ? labelWriteOf(answered) : undefined;
    if (write?.does !== does || write.on !== on) return undefined;
    carryOut(write);
    return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
  });

export const scopes: readonly Defect[] = [
  {
    id: 'scopes/context-unguarded',
    breaks: 'scopes/context-needs-conversation-read',
    does: 'shows a context to every valid key',
    around: unguarded(['getConversationContext']),
  },
  {
    id: 'scopes/write-implies-read',
    breaks: 'scopes/context-needs-conversation-read',
    does: 'takes conversation:write for conversation:read',
    around: unguarded(['getConversationContext'], holds('conversation:write')),
  },
  {
    id: 'scopes/context-for-any-read',
    breaks: 'scopes/context-needs-conversation-read',
    does: 'takes any scope that ends in read for conversation:read',
    around: unguarded(['getConversationContext'], ({ key }) =>
      [...(key?.scopes ?? [])].some((scope) => scope.endsWith(':read')),
    ),
  },
  ...(['apply', 'remove'] as const).map((does): Defect => {
    const state = does === 'apply' ? 'carried' : 'absent';
    return {
      id: `scopes/unguarded-where-${state}`,
      breaks: 'scopes/conversation-labels-need-conversation-write',
      does: `answers before the scope is checked where there is nothing to do: the label to ${does} is ${state} already`,
      around: onReply((answered) => {
        const write = answered.refused === 'missing-scope' ? labelWriteOf(answered) : undefined;
        if (write?.does !== does || write.on !== 'conversation' || write.label === undefined) return undefined;
        const there = new Set(write.tenant.labelsOf(write.holder)).has(write.label.id);
        if (there !== (does === 'apply')) return undefined;
        return answered.ask(as(answered.mock, answered.request, write.tenant.name));
      }),
    };
  }),
  {
    id: 'scopes/upload-unguarded',
    breaks: 'scopes/upload-needs-sitefile-write',
    does: 'lets every valid key start an upload',
    around: unguarded(['startSiteFileUpload']),
  },
  {
    id: 'scopes/upload-with-site-read',
    breaks: 'scopes/upload-needs-sitefile-write',
    does: 'lets a key with site:read start an upload',
    around: unguarded(['startSiteFileUpload'], holds('site:read')),
  },
  {
    id: 'scopes/remove-unguarded',
    breaks: 'scopes/conversation-labels-need-conversation-write',
    does: 'checks the scope where a label is applied to a conversation, and not where it is removed',
    around: unguarded(['removeConversationLabel']),
  },
  {
    id: 'scopes/apply-unguarded',
    breaks: 'scopes/conversation-labels-need-conversation-write',
    does: 'checks the scope where a label of a conversation is removed, and not where it is applied',
    around: unguarded(['applyConversationLabel']),
  },
  {
    id: 'scopes/read-may-label',
    breaks: 'scopes/conversation-labels-need-conversation-write',
    does: 'takes conversation:read for conversation:write',
    around: unguarded(['applyConversationLabel', 'removeConversationLabel'], holds('conversation:read')),
  },
  {
    id: 'scopes/any-write-may-label',
    breaks: 'scopes/conversation-labels-need-conversation-write',
    does: 'lets a key with client:write remove labels of conversations',
    around: unguarded(['removeConversationLabel'], holds('client:write')),
  },
  {
    id: 'scopes/link-unguarded',
    breaks: 'scopes/link-remove-needs-both',
    does: 'asks for no scope where a label of a link is removed',
    around: unguarded(['removeClientSiteLabel']),
  },
  {
    id: 'scopes/link-client-write-suffices',
    breaks: 'scopes/link-remove-needs-both',
    does: 'removes a label of a link for a key with client:write alone',
    around: unguarded(['removeClientSiteLabel'], holds('client:write')),
  },
  {
    id: 'scopes/link-site-write-suffices',
    breaks: 'scopes/link-remove-needs-both',
    does: 'removes a label of a link for a key with site:write alone',
    around: unguarded(['removeClientSiteLabel'], holds('site:write')),
  },
  ...(
    [
      ['context', 401, 'getConversationContext'],
      ['upload', 404, 'startSiteFileUpload'],
      ['apply', 401, 'applyConversationLabel'],
      ['remove', 404, 'removeConversationLabel'],
      ['link-remove', 400, 'removeClientSiteLabel'],
    ] as const
  ).map(
    ([slug, status, operation]): Defect => ({
      id: `scopes/missing-is-${status}-on-${slug}`,
      breaks: 'scopes/missing-scope-is-403',
      does: `answers a missing scope with ${status}: ${operation}`,
      around: onReply(({ refused, id }) =>
        refused === 'missing-scope' && id === operation ? errorWith(status, 'REFUSED') : undefined,
      ),
    }),
  ),
  {
    id: 'scopes/refused-but-applied',
    breaks: 'scopes/missing-scope-is-403',
    does: 'answers 403 to a key without conversation:write, and applies the label all the same',
    around: doneAnyway('apply', 'conversation'),
  },
  {
    id: 'scopes/refused-but-removed',
    breaks: 'scopes/missing-scope-is-403',
    does: 'answers 403 to a key without conversation:write, and removes the label all the same',
    around: doneAnyway('remove', 'conversation'),
  },
  {
    id: 'scopes/refused-but-removed-from-link',
    breaks: 'scopes/missing-scope-is-403',
    does: 'answers 403 to a key without both scopes, and removes the label from the link all the same',
    around: doneAnyway('remove', 'link'),
  },
  {
    id: 'scopes/context-needs-client-read-too',
    breaks: 'scopes/named-scopes-suffice',
    does: 'asks for client:read as well, because a context shows clients',
    around: greedy(['getConversationContext'], 'client:read'),
  },
  {
    id: 'scopes/labels-need-read-too',
    breaks: 'scopes/named-scopes-suffice',
    does: 'asks for conversation:read as well where a label of a conversation is removed',
    around: greedy(['removeConversationLabel'], 'conversation:read'),
  },
  {
    id: 'scopes/apply-needs-read-too',
    breaks: 'scopes/named-scopes-suffice',
    does: 'asks for conversation:read as well where a label is applied to a conversation',
    around: greedy(['applyConversationLabel'], 'conversation:read'),
  },
  {
    id: 'scopes/upload-needs-site-write-too',
    breaks: 'scopes/named-scopes-suffice',
    does: 'asks for site:write as well where an upload is started',
    around: greedy(['startSiteFileUpload'], 'site:write'),
  },
  {
    id: 'scopes/link-needs-conversation-write-too',
    breaks: 'scopes/named-scopes-suffice',
    does: 'asks for conversation:write as well where a label of a link is removed',
    around: greedy(['removeClientSiteLabel'], 'conversation:write'),
  },
];
