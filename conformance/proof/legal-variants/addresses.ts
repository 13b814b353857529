import { replyWith } from '../../../mock/proof/tampering/json-value.ts';
import type { Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { Profile } from '../../../spec/files/profile-schema.ts';
import type { Target } from '../../../spec/files/target.ts';
import { twoLinks } from '../tampering/targets.ts';
import { onReplyTo } from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

type Operations = NonNullable<Profile['operations']>;
type Errors = NonNullable<Profile['errors']>;

export const otherPaths: Operations = {
  applyConversationLabel: { method: 'POST', path: '/v1/conversations/{id}/labels/{labelId}' },
  removeConversationLabel: { method: 'POST', path: '/v1/conversations/{id}/labels/{labelId}/remove' },
  applySiteLabel: { path: '/v1/labels/{labelId}/sites/{id}' },
  removeSiteLabel: { path: '/v1/labels/{labelId}/sites/{id}' },
  applyClientSiteLabel: { method: 'PATCH', path: '/v1/sites/{siteId}/clients/{clientId}/{labelId}' },
  removeClientSiteLabel: { path: '/v1/sites/{siteId}/clients/{clientId}/{labelId}' },
  getSite: { path: '/v1/sites/{id}' },
  getClient: { path: '/v1/clients/{id}' },
};

export const refuses422: Errors = {
  'malformed-json': { status: 422, code: 'INVALID' },
  'wrong-json-type': { status: 422, code: 'INVALID' },
  'missing-content-type': { status: 422, code: 'INVALID' },
  'empty-content-type': { status: 422, code: 'INVALID' },
  'additional-property': { status: 422, code: 'INVALID' },
  'malformed-label-id': { status: 422, code: 'INVALID' },
  'malformed-conversation-id': { status: 404, code: 'NOT_FOUND' },
  'malformed-client-id': { status: 404, code: 'NOT_FOUND' },
  'missing-file-key': { status: 422, code: 'INVALID' },
  'malformed-file-key': { status: 404, code: 'NOT_FOUND' },
};

export const foreignIs403: Errors = {
  'foreign-conversation': { status: 403, code: 'FORBIDDEN' },
  'foreign-client': { status: 403, code: 'FORBIDDEN' },
  'foreign-link': { status: 403, code: 'FORBIDDEN' },
  'foreign-label': { status: 403, code: 'FORBIDDEN' },
  'foreign-file-key': { status: 403, code: 'FORBIDDEN' },
  'private-label': { status: 403, code: 'FORBIDDEN' },
};

export const byGateway: Errors = {
  'no-key': { status: 403, body: 'message' },
  'unknown-key': { status: 403, body: 'message' },
  'revoked-key': { status: 403, body: 'message' },
  'bearer-only': { status: 403, body: 'message' },
  'unknown-path': { status: 403, body: 'message' },
  'wrong-method': { status: 403, body: 'message' },
  'too-large': { status: 413, body: 'message' },
};

/** Gives keys with one scope another one as well, in the mock and in its target file. */
export const rescoped = (from: string, to: string) => ({
  around: ({ mock, handle }: Scene) => {
    for (const key of mock.keys.list()) if (key.scopes.has(from)) key.scopes = new Set([...key.scopes, to]);
    return handle;
  },
  target: (target: Target): Target => ({
    ...target,
    tenants: target.tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => (key.scopes.includes(from) ? { ...key, scopes: [...key.scopes, to] } : key)),
    })),
  }),
});

const has = (profile: Profile) => () => ({ profile });

/** Deployments with other paths, methods, scopes and error replies. */
export const addresses: readonly LegalVariant[] = [
  { id: 'two-links', does: 'has a client with two links, which the target file names', target: twoLinks },
  { id: 'as-decided', does: 'does everything as decisions.md has it' },
  {
    id: 'other-paths',
    does: 'has other methods and paths for operations whose address is not documented',
    options: has({ operations: otherPaths }),
  },
  {
    id: 'bare-arrays',
    does: 'answers bare arrays of ids or names, calls the id of a label labelId, and shows ids in a context',
    options: has({
      shapes: {
        label: { id: 'labelId', name: 'title' },
        labelList: { at: '' },
        conversationLabels: { at: '', items: 'ids' },
        clientSiteLabels: { at: 'data.labels', items: 'ids' },
        contextLabels: 'ids',
      },
    }),
  },
  {
    id: 'names-only',
    does: 'answers the labels of a conversation and of a link as names',
    options: has({
      shapes: { conversationLabels: { at: 'items', items: 'names' }, clientSiteLabels: { at: '', items: 'names' } },
    }),
  },
  { id: '422-for-400', does: 'answers 422 or 404 to what is malformed', options: has({ errors: refuses422 }) },
  { id: '403-for-404', does: 'answers 403 for what is foreign or private', options: has({ errors: foreignIs403 }) },
  {
    id: 'behind-a-gateway',
    does: 'has a gateway in front that refuses keys, paths and sizes in a body with a single message',
    options: has({ errors: byGateway }),
    warns: ['auth/forbidden-has-the-error-body'],
  },
  {
    id: 'gateway-checks-scopes',
    does: 'has a gateway in front that checks keys and scopes, and says so in plain text',
    around: onReplyTo({ status: 403, refused: /-key$|^bearer|^missing-scope$/ }, () =>
      replyWith(403, { message: 'Forbidden' }),
    ),
    warns: ['auth/forbidden-has-the-error-body'],
  },
  {
    id: 'other-scopes',
    does: 'asks for label:write where the specification names no scope for labels',
    options: has({
      operations: { applySiteLabel: { scopes: ['label:write'] }, removeSiteLabel: { scopes: ['label:write'] } },
    }),
    ...rescoped('site:write', 'label:write'),
  },
  {
    id: 'only-what-is-documented',
    does: 'has none of the operations that the specification does not name',
    // Without the removal, labels of sites are not written.
    unjudged: ['labels/site-apply', 'labels/site-label-set', 'limiter/429-comes-before-the-handler'],
    options: has({
      operations: { applyClientSiteLabel: null, removeSiteLabel: null, getSite: null, getClient: null },
    }),
  },
  {
    id: 'no-health-check',
    does: 'has no operation that a key without scopes may send',
    options: has({ operations: { getHealth: null, listLabels: { scopes: ['conversation:read'] } } }),
  },
];
