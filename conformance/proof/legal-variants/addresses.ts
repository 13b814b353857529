import { replyWith } from '../../../mock/proof/tampering/json-value.ts';
import type { Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { Profile } from '../../../spec/files/profile-schema.ts';
import type { Target } from '../../../spec/files/target.ts';
import { twoLinks } from '../tampering/targets.ts';
import { onReplyTo } from '../tampering/when.ts';
import { type LegalVariant, legal } from './legal-variant.ts';

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

/** Refuses for each of some reasons in the same way. */
const refusing = (status: number, how: object, ...reasons: readonly (keyof Errors)[]) =>
  Object.fromEntries(reasons.map((reason) => [reason, { status, ...how }])) as Errors;

export const refuses422: Errors = {
  ...refusing(422, { code: 'INVALID' }, 'malformed-json', 'wrong-json-type', 'missing-content-type'),
  ...refusing(422, { code: 'INVALID' }, 'empty-content-type', 'additional-property', 'malformed-label-id'),
  ...refusing(422, { code: 'INVALID' }, 'missing-file-key'),
  ...refusing(404, { code: 'NOT_FOUND' }, 'malformed-conversation-id', 'malformed-client-id', 'malformed-file-key'),
};

export const foreignIs403: Errors = {
  ...refusing(403, { code: 'FORBIDDEN' }, 'foreign-conversation', 'foreign-client', 'foreign-link', 'foreign-label'),
  ...refusing(403, { code: 'FORBIDDEN' }, 'foreign-file-key', 'private-label'),
};

export const byGateway: Errors = {
  ...refusing(403, { body: 'message' }, 'no-key', 'unknown-key', 'revoked-key', 'bearer-only', 'unknown-path'),
  ...refusing(403, { body: 'message' }, 'wrong-method'),
  ...refusing(413, { body: 'message' }, 'too-large'),
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

const has = (profile: Profile) => ({ options: () => ({ profile }) });

/** Deployments with other paths, methods, scopes and error replies. */
export const addresses: readonly LegalVariant[] = legal({
  'two-links': { target: twoLinks },
  'as-decided': {},
  'other-paths': has({ operations: otherPaths }),
  'bare-arrays': [
    'answers bare arrays of ids or names, calls the id of a label labelId, and shows ids in a context',
    has({
      shapes: {
        label: { id: 'labelId', name: 'title' },
        labelList: { at: '' },
        conversationLabels: { at: '', items: 'ids' },
        clientSiteLabels: { at: 'data.labels', items: 'ids' },
        contextLabels: 'ids',
      },
    }),
  ],
  'names-only': has({
    shapes: { conversationLabels: { at: 'items', items: 'names' }, clientSiteLabels: { at: '', items: 'names' } },
  }),
  '422-for-400': ['answers 422 or 404 to what is malformed', has({ errors: refuses422 })],
  '403-for-404': ['answers 403 for what is foreign or private', has({ errors: foreignIs403 })],
  'behind-a-gateway': [
    'has a gateway in front that refuses keys, paths and sizes in a body with a single message',
    { ...has({ errors: byGateway }), warns: ['auth/forbidden-has-the-error-body'] },
  ],
  'gateway-checks-scopes': [
    'has a gateway in front that checks keys and scopes, and says so in plain text',
    {
      around: onReplyTo({ status: 403, refused: /-key$|^bearer|^missing-scope$/ }, () =>
        replyWith(403, { message: 'Forbidden' }),
      ),
      warns: ['auth/forbidden-has-the-error-body'],
    },
  ],
  'other-scopes': [
    'asks for label:write where the specification names no scope for labels',
    {
      ...has({
        operations: { applySiteLabel: { scopes: ['label:write'] }, removeSiteLabel: { scopes: ['label:write'] } },
      }),
      ...rescoped('site:write', 'label:write'),
    },
  ],
  'only-what-is-documented': [
    'has none of the operations that the specification does not name; without the removal, labels of sites are not written',
    {
      ...has({ operations: { applyClientSiteLabel: null, removeSiteLabel: null, getSite: null, getClient: null } }),
      unjudged: ['labels/site-apply', 'labels/site-label-set', 'limiter/429-comes-before-the-handler'],
    },
  ],
  'no-health-check': [
    'has no operation that a key without scopes may send',
    has({ operations: { getHealth: null, listLabels: { scopes: ['conversation:read'] } } }),
  ],
});
