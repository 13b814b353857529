import type { Asked } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId, Scope } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { carried, doneAnyway, labelWriteOf } from '../../tampering/label-write.ts';
import { failing, refusing, servedAfterAll, type When } from '../../tampering/when.ts';

/** Serves some operations to keys that lack a scope. */
const unguarded = (id: When['id'], where?: When['where']) =>
  servedAfterAll('its own', { id, refused: 'missing-scope', ...(where && { where }) });

const holds = (scope: Scope) => (asked: Asked) => asked.key?.scopes.has(scope);

/** Demands one scope more than the specification names. */
const greedy = (id: OperationId, scope: Scope) =>
  refusing({ id, usable: true, where: (asked) => !holds(scope)(asked) }, 403);

/** Refuses because of a missing scope, but executes the write. */
const doneWithoutScope = (id: OperationId) => doneAnyway({ id, refused: 'missing-scope' });

export const scopes: readonly Defect[] = [
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/write-implies-read': [
      'takes conversation:write for conversation:read',
      unguarded('getConversationContext', holds('conversation:write')),
    ],
    'scopes/context-for-any-read': [
      'takes any scope that ends in read for conversation:read',
      unguarded('getConversationContext', ({ key }) =>
        [...(key?.scopes ?? [])].some((scope) => scope.endsWith(':read')),
      ),
    ],
  }),
  ...(['apply', 'remove'] as const).map((does): Defect => {
    const state = does === 'apply' ? 'carried' : 'absent';
    return {
      id: `scopes/unguarded-where-${state}`,
      breaks: 'scopes/conversation-labels-need-conversation-write',
      does: `does not check the scope of a write that changes nothing: the label to ${does} is ${state} already`,
      around: servedAfterAll('its own', {
        id: `${does}ConversationLabel`,
        refused: 'missing-scope',
        where: (answered) => {
          const write = labelWriteOf(answered);
          return write?.label !== undefined && carried(write) === (does === 'apply');
        },
      }),
    };
  }),
  ...breaking('scopes/upload-needs-sitefile-write', {
    'scopes/upload-with-site-read': [
      'lets a key with site:read start an upload',
      unguarded('startSiteFileUpload', holds('site:read')),
    ],
  }),
  ...breaking('scopes/conversation-labels-need-conversation-write', {
    'scopes/read-may-label': [
      'takes conversation:read for conversation:write',
      unguarded(['applyConversationLabel', 'removeConversationLabel'], holds('conversation:read')),
    ],
    'scopes/any-write-may-label': [
      'lets a key with client:write remove labels of conversations',
      unguarded('removeConversationLabel', holds('client:write')),
    ],
  }),
  ...breaking('scopes/link-remove-needs-both', {
    'scopes/link-client-write-suffices': [
      'removes a label of a link for a key with client:write alone',
      unguarded('removeClientSiteLabel', holds('client:write')),
    ],
    'scopes/link-site-write-suffices': [
      'removes a label of a link for a key with site:write alone',
      unguarded('removeClientSiteLabel', holds('site:write')),
    ],
  }),
  ...(
    [
      ['context', 401, 'getConversationContext'],
      ['upload', 404, 'startSiteFileUpload'],
      ['apply', 401, 'applyConversationLabel'],
      ['remove', 404, 'removeConversationLabel'],
      ['link-remove', 400, 'removeClientSiteLabel'],
    ] as const
  ).map(
    ([slug, status, id]): Defect => ({
      id: `scopes/missing-is-${status}-on-${slug}`,
      breaks: 'scopes/missing-scope-is-403',
      does: `answers a missing scope with ${status}: ${id}`,
      around: failing({ id, refused: 'missing-scope' }, status),
    }),
  ),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/refused-but-applied': [
      'answers 403 to a key without conversation:write, and applies the label all the same',
      doneWithoutScope('applyConversationLabel'),
    ],
    'scopes/refused-but-removed-from-link': [
      'answers 403 to a key without both scopes, and removes the label from the link all the same',
      doneWithoutScope('removeClientSiteLabel'),
    ],
  }),
  ...breaking('scopes/named-scopes-suffice', {
    'scopes/context-needs-client-read-too': [
      'asks for client:read as well, because a context shows clients',
      greedy('getConversationContext', 'client:read'),
    ],
    'scopes/labels-need-read-too': [
      'asks for conversation:read as well where a label of a conversation is removed',
      greedy('removeConversationLabel', 'conversation:read'),
    ],
    'scopes/upload-needs-site-write-too': [
      'asks for site:write as well where an upload is started',
      greedy('startSiteFileUpload', 'site:write'),
    ],
    'scopes/link-needs-conversation-write-too': [
      'asks for conversation:write as well where a label of a link is removed',
      greedy('removeClientSiteLabel', 'conversation:write'),
    ],
  }),
];
