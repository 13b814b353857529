import { type Asked, as, instead } from '../../../../mock/proof/tampering/tamper.ts';
import { type OperationId, operationIds, type Scope } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { carried, doneAnyway, labelWriteOf } from '../../tampering/label-write.ts';
import { late } from '../../tampering/timing.ts';
import { failing, refusing, servedAfterAll, servedAs, type When } from '../../tampering/when.ts';

/** Serves some operations to keys that lack a scope. */
const unguarded = (id: When['id'], where?: When['where']) =>
  servedAfterAll('its own', { id, refused: 'missing-scope', ...(where && { where }) });

const holds = (scope: Scope) => (asked: Asked) => asked.key?.scopes.has(scope);

/** Demands one scope more than the specification names. */
const greedy = (id: OperationId, scope: Scope) =>
  refusing({ id, usable: true, where: (asked) => !holds(scope)(asked) }, 403);

/** Refuses because of a missing scope, but executes the write. */
const doneWithoutScope = (id: OperationId) => doneAnyway({ id, refused: 'missing-scope' });

const withoutScope = (id: NonNullable<When['id']>) =>
  late(servedAfterAll('its own', { id, refused: 'missing-scope', where: ({ key }) => key?.scopes.size === 0 }));

/** Scopes are not asked for, too many are, or a refusal for a scope has another status or an effect. */
export const scopes: readonly Defect[] = [
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/remembered-of-the-path': [
      'shows a context to a key without the scope for a while after a key with the scope has read it',
      fromCache({
        keeps: { id: 'getConversationContext', ok: true },
        answers: { refused: 'missing-scope' },
        milliseconds: 300,
      }),
    ],
    'scopes/closed-context-unguarded': [
      'shows the context of a closed conversation to a key that may only read sites',
      servedAs('acme', { id: 'getConversationContext', key: 'only-site-file-write', record: 'closed' }),
    ],
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
    'scopes/read-by-all-after-a-while': [
      'after 40 seconds lets a key without scopes read contexts',
      withoutScope('getConversationContext'),
    ],
    'scopes/not-asked-with-a-query': [
      'asks for no scope where the URL of a context has a query',
      servedAfterAll('its own', {
        id: 'getConversationContext',
        refused: 'missing-scope',
        where: ({ request }) => request.url.includes('?include'),
      }),
    ],
    'scopes/not-asked-for-capital-ids': [
      'asks for no scope where an id has capital letters',
      instead(({ key, request, mock, ask }) =>
        key !== undefined &&
        !key.revoked &&
        !key.scopes.has('conversation:read') &&
        /\/[C][0-9A-F-]{35}\/context$/.test(request.url)
          ? ask(as(mock, { ...request, url: request.url.toLowerCase() }, key.tenant))
          : undefined,
      ),
    ],
    'scopes/not-asked-the-second-time': [
      'forgets a refusal for a scope when the same key asks again within a moment',
      (scene) => {
        const refusedAt = new Map<string, number>();
        return servedAfterAll('its own', {
          refused: 'missing-scope',
          where: ({ key, id, mock }) => {
            const name = `${key?.name} ${id}`;
            const last = refusedAt.get(name);
            refusedAt.set(name, mock.clock.now());
            return last !== undefined && mock.clock.now() - last < 50;
          },
        })(scene);
      },
    ],
  }),
  ...breaking('scopes/upload-needs-sitefile-write', {
    'scopes/upload-unguarded-on-legacy-site': [
      'lets every valid key start an upload for a legacy site',
      servedAs('its own', { id: 'startSiteFileUpload', usable: true, record: 'legacy' }),
    ],
    'scopes/upload-with-site-read': [
      'lets a key with site:read start an upload',
      unguarded('startSiteFileUpload', holds('site:read')),
    ],
  }),
  ...breaking('scopes/conversation-labels-need-conversation-write', {
    'scopes/halves-suffice': [
      'looks for the resource and the verb of a scope apart, so that conversation:read and site:write label a conversation',
      servedAfterAll('its own', {
        id: ['applyConversationLabel', 'removeConversationLabel'],
        refused: 'missing-scope',
        where: ({ key }) => key?.scopes.has('conversation:read') && key.scopes.has('site:write'),
      }),
    ],
    'scopes/no-scope-at-all-is-every-scope': [
      'treats a key without scopes as one with every scope where a label of a conversation is removed',
      servedAs('its own', { id: 'removeConversationLabel', key: 'none' }),
    ],
    'scopes/read-may-label': [
      'takes conversation:read for conversation:write',
      unguarded(['applyConversationLabel', 'removeConversationLabel'], holds('conversation:read')),
    ],
    'scopes/any-write-may-label': [
      'lets a key with client:write remove labels of conversations',
      unguarded('removeConversationLabel', holds('client:write')),
    ],
    'scopes/written-by-all-after-a-while': [
      'after 40 seconds lets a key without scopes label conversations',
      withoutScope(['applyConversationLabel', 'removeConversationLabel']),
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
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/refused-but-removed-from-closed': [
      'answers 403 to a key without conversation:write, and takes the label off a closed conversation all the same',
      doneAnyway({ refused: 'missing-scope', id: 'removeConversationLabel', record: 'closed' }),
    ],
    'scopes/refused-but-applied-to-site': [
      'answers 403 to a key without site:write, and applies the label to a legacy site all the same',
      doneAnyway({ refused: 'missing-scope', id: 'applySiteLabel', record: 'legacy' }),
    ],
    'scopes/refused-but-applied': [
      'answers 403 to a key without conversation:write, and applies the label all the same',
      doneWithoutScope('applyConversationLabel'),
    ],
    'scopes/refused-but-removed-from-link': [
      'answers 403 to a key without both scopes, and removes the label from the link all the same',
      doneWithoutScope('removeClientSiteLabel'),
    ],
    'scopes/legacy-site-always-500': [
      'breaks when a key without the scope asks for a legacy site',
      failing({ id: operationIds, record: 'legacy', refused: 'missing-scope' }, 500),
    ],
    'scopes/one-of-two-always-500': [
      'breaks when a key with one of two scopes removes a label from a link',
      refusing(
        {
          id: 'removeClientSiteLabel',
          usable: true,
          where: ({ key }) => key?.scopes.has('client:write') !== key?.scopes.has('site:write'),
        },
        500,
      ),
    ],
  }),
  ...breaking('scopes/named-scopes-suffice', {
    'scopes/closed-needs-more': [
      'asks for conversation:read as well where a closed conversation is labelled',
      refusing(
        {
          id: 'applyConversationLabel',
          record: 'closed',
          usable: true,
          where: ({ key }) => !key?.scopes.has('conversation:read'),
        },
        403,
      ),
    ],
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
];
