import { type Asked, as, instead } from '../../../../mock/proof/tampering/tamper.ts';
import { operationIds, type Scope } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { carried, doneAnyway, labelWriteOf } from '../../tampering/label-write.ts';
import { lacksScope } from '../../tampering/predicates.ts';
import { late } from '../../tampering/timing.ts';
import { type AskedWhen, failing, refusing, servedAfterAll, servedAs, type When } from '../../tampering/when.ts';

/** Serves some operations to keys that lack a scope. */
const unguarded = (id: When['id'], when: When = {}) =>
  servedAfterAll('its own', { ...when, id, refused: 'missing-scope' });

/** Demands one scope more than the specification names. */
const greedy = (id: When['id'], lacks: Scope, when: AskedWhen = {}) =>
  refusing({ id, usable: true, lacks, ...when }, 403);

/** Refuses a write for its scope, and carries it out all the same. */
const doneUnscoped = (when: When) => doneAnyway({ ...when, refused: 'missing-scope' });

const labelOfConversation: When['id'] = ['applyConversationLabel', 'removeConversationLabel'];

/** Whether a write applies a label that is carried, or removes one that is not. */
const changesNothing = (asked: Asked) => {
  const write = labelWriteOf(asked);
  return write?.label !== undefined && carried(write) === (write.does === 'apply');
};

/** Scopes are not asked for, too many are, or a refusal for a scope has another status or an effect. */
export const scopes: readonly Defect[] = [
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/write-implies-read': unguarded('getConversationContext', { holds: 'conversation:write' }),
    'scopes/context-for-any-read': unguarded('getConversationContext', {
      where: ({ key }) => [...(key?.scopes ?? [])].some((scope) => scope.endsWith(':read')),
    }),
    'scopes/read-by-all-after-a-while': late(unguarded('getConversationContext', { scopes: 0 })),
    'scopes/not-asked-with-a-query': unguarded('getConversationContext', { url: /\?include/ }),
    'scopes/not-asked-for-capital-ids': instead((asked) => {
      const { key, request, mock, ask } = asked;
      const isMeant = key?.revoked === false && /\/[C][0-9A-F-]{35}\/context$/.test(request.url) && lacksScope(asked);
      return isMeant ? ask(as(mock, { ...request, url: request.url.toLowerCase() }, key.tenant)) : undefined;
    }),
  }),
  ...breaking('scopes/upload-needs-sitefile-write', {
    'scopes/upload-unguarded-on-legacy-site': servedAs('its own', {
      id: 'startSiteFileUpload',
      usable: true,
      record: 'legacy',
    }),
    'scopes/upload-with-site-read': unguarded('startSiteFileUpload', { holds: 'site:read' }),
  }),
  ...breaking('scopes/conversation-labels-need-conversation-write', {
    'scopes/halves-suffice': [
      'looks for the resource and the verb of a scope apart, so that conversation:read and site:write label a conversation',
      unguarded(labelOfConversation, { holds: 'conversation:read', where: ({ key }) => key?.scopes.has('site:write') }),
    ],
    'scopes/not-asked-of-writes-with-a-query': unguarded(labelOfConversation, { url: /\?/ }),
    'scopes/no-scope-at-all-is-every-scope': servedAs('its own', { id: 'removeConversationLabel', key: 'none' }),
    'scopes/read-may-label': unguarded(labelOfConversation, { holds: 'conversation:read' }),
    'scopes/any-write-may-label': unguarded('removeConversationLabel', { holds: 'client:write' }),
    'scopes/written-by-all-after-a-while': late(unguarded(labelOfConversation, { scopes: 0 })),
    'scopes/unguarded-where-carried': unguarded('applyConversationLabel', { where: changesNothing }),
    'scopes/unguarded-where-absent': unguarded('removeConversationLabel', { where: changesNothing }),
  }),
  ...breaking('scopes/link-remove-needs-both', {
    'scopes/link-client-write-suffices': unguarded('removeClientSiteLabel', { holds: 'client:write' }),
    'scopes/link-site-write-suffices': unguarded('removeClientSiteLabel', { holds: 'site:write' }),
  }),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/missing-is-401-on-context': failing({ id: 'getConversationContext', refused: 'missing-scope' }, 401),
    'scopes/missing-is-404-on-upload': failing({ id: 'startSiteFileUpload', refused: 'missing-scope' }, 404),
    'scopes/missing-is-401-on-apply': failing({ id: 'applyConversationLabel', refused: 'missing-scope' }, 401),
    'scopes/missing-is-404-on-remove': failing({ id: 'removeConversationLabel', refused: 'missing-scope' }, 404),
    'scopes/missing-is-400-on-link-remove': failing({ id: 'removeClientSiteLabel', refused: 'missing-scope' }, 400),
    'scopes/refused-but-removed-from-closed': doneUnscoped({ id: 'removeConversationLabel', record: 'closed' }),
    'scopes/refused-but-applied-to-site': doneUnscoped({ id: 'applySiteLabel', record: 'legacy' }),
    'scopes/refused-but-applied': doneUnscoped({ id: 'applyConversationLabel' }),
    'scopes/refused-but-removed-from-link': doneUnscoped({ id: 'removeClientSiteLabel' }),
    'scopes/legacy-site-always-500': failing({ id: operationIds, record: 'legacy', refused: 'missing-scope' }, 500),
    'scopes/missing-breaks': failing({ refused: 'missing-scope', scopes: 0 }, 500),
  }),
  ...breaking('scopes/named-scopes-suffice', {
    'scopes/closed-needs-more': greedy('applyConversationLabel', 'conversation:read', { record: 'closed' }),
    'scopes/context-needs-client-read-too': greedy('getConversationContext', 'client:read'),
    'scopes/labels-need-read-too': greedy('removeConversationLabel', 'conversation:read'),
    'scopes/upload-needs-site-write-too': greedy('startSiteFileUpload', 'site:write'),
    'scopes/link-needs-conversation-write-too': greedy('removeClientSiteLabel', 'conversation:write'),
  }),
];
