import type { Profile } from '../../../spec/files/profile-schema.ts';
import type { Target } from '../../../spec/files/target.ts';
import { type LegalVariant, legal } from '../tampering/defect.ts';
import { gcra, limitedBy } from '../tampering/limiters.ts';

type Operations = NonNullable<Profile['operations']>;
type Errors = NonNullable<Profile['errors']>;

const otherPaths: Operations = {
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

const refuses422: Errors = {
  ...refusing(422, { code: 'INVALID' }, 'malformed-json', 'wrong-json-type', 'missing-content-type'),
  ...refusing(422, { code: 'INVALID' }, 'empty-content-type', 'additional-property', 'malformed-label-id'),
  ...refusing(422, { code: 'INVALID' }, 'missing-file-key'),
  ...refusing(404, { code: 'NOT_FOUND' }, 'malformed-conversation-id', 'malformed-client-id', 'malformed-file-key'),
};

const foreignIs403: Errors = {
  ...refusing(403, { code: 'FORBIDDEN' }, 'foreign-conversation', 'foreign-client', 'foreign-link', 'foreign-label'),
  ...refusing(403, { code: 'FORBIDDEN' }, 'foreign-file-key', 'private-label'),
};

const byGateway: Errors = {
  ...refusing(403, { body: 'message' }, 'no-key', 'unknown-key', 'revoked-key', 'bearer-only', 'unknown-path'),
  ...refusing(403, { body: 'message' }, 'wrong-method'),
  ...refusing(413, { body: 'message' }, 'too-large'),
};

const has = (profile: Profile) => ({ options: () => ({ profile }) });

/** A target file whose first tenant has a client with two links. */
const twoLinks = ({ tenants: [tenant, ...others], ...target }: Target): Target => {
  const client = 'ovcid-c11e0003-0000-4000-8000-000000000003';
  const links = {
    clientSite: { client, site: 'ovaid-517e0001-0000-4000-8000-000000000001' },
    otherClientSite: { client, site: '10042' },
  };
  const privateLabels = tenant?.privateLabels?.map((one) => ({
    ...one,
    on: one.on?.filter((on) => on !== 'clientSite'),
  }));
  return { ...target, tenants: [...(tenant ? [{ ...tenant, ...links, privateLabels }] : []), ...others] };
};

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
  'only-what-is-documented': [
    'has none of the operations that the specification does not name; without the removal, labels of sites are not written',
    {
      ...has({ operations: { applyClientSiteLabel: null, removeSiteLabel: null, getSite: null, getClient: null } }),
      unjudged: ['labels/site-apply', 'labels/site-label-set', 'limiter/429-comes-before-the-handler'],
    },
  ],
  'everything-otherwise': [
    'has other paths, shapes, statuses, a gateway in front, GCRA of 30 and a fixed Retry-After',
    {
      options: () => ({
        profile: {
          operations: otherPaths,
          errors: { ...refuses422, ...foreignIs403, ...byGateway },
          shapes: {
            label: { id: 'uuid', name: 'text' },
            labelList: { at: 'data' },
            conversationLabels: { at: 'data.attributes.labels', items: 'names' },
            clientSiteLabels: { at: '', items: 'ids' },
            contextLabels: 'ids',
          },
          upload: { putStatus: 204, registerStatus: 200, registerTwice: { status: 200 } },
          limits: { retryAfter: 3, bodyBytes: 10_000_000 },
        },
        ...limitedBy(({ perSecond, burst }) => gcra({ perSecond, burst: burst + perSecond }))(),
      }),
      warns: ['auth/forbidden-has-the-error-body'],
    },
  ],
});
