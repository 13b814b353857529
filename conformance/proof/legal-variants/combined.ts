import { bucket, gcra, limiter } from '../tampering/limiters.ts';
import { chain } from '../tampering/when.ts';
import { byGateway, foreignIs403, otherPaths, refuses422, rescoped } from './addresses.ts';
import { type LegalVariant, legal } from './legal-variant.ts';
import { replies } from './replies.ts';
import { uploads } from './upload.ts';

/** Composes the wrappers of other variants. */
const both = (...ids: readonly string[]): NonNullable<LegalVariant['around']> => {
  const parts = [...replies, ...uploads].filter(({ id }) => ids.includes(id)).flatMap(({ around }) => around ?? []);
  if (parts.length !== ids.length) throw new Error(`there is no wrapper for one of ${ids.join(', ')}`);
  return chain(...parts);
};

/** Deployments that differ from the mock in many ways at once. */
export const combined: readonly LegalVariant[] = legal({
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
        createLimiter: (first) =>
          limiter(first, ({ perSecond, burst }) => gcra({ perSecond, burst: burst + perSecond })),
      }),
      around: both('no-charset', 'storage-answers-204', 'slow-storage'),
      warns: ['auth/forbidden-has-the-error-body'],
    },
  ],
  'sparse-and-slow': both('sparse', 'upper-case-uuids', 'signed-otherwise', 'slow-storage'),
  'rich-and-ticking': [
    'adds fields everywhere, wraps errors in details, refills in ticks, and puts replies into envelopes',
    {
      options: () => ({
        profile: { operations: otherPaths, errors: foreignIs403, limits: { retryAfter: 5 } },
        createLimiter: (first) => limiter(first, (limit) => bucket(limit, 100)),
      }),
      around: both('enveloped', 'extra-fields', 'talkative-errors', 'expiry-with-offset'),
    },
  ],
  'other-scopes-and-paths': [
    'asks for scopes of its own on paths of its own, and answers 422 for what is malformed',
    {
      options: () => ({
        profile: {
          operations: {
            ...otherPaths,
            applySiteLabel: { path: '/v1/site/{id}/labels/{labelId}', scopes: ['label:write'] },
            removeSiteLabel: { path: '/v1/site/{id}/labels/{labelId}', scopes: ['label:write'] },
            applyClientSiteLabel: { path: '/v1/link/{clientId}/{siteId}/{labelId}', scopes: ['label:write'] },
          },
          errors: refuses422,
          shapes: { labelList: { at: 'labels.items' } },
        },
      }),
      ...rescoped('site:write', 'label:write'),
    },
  ],
});
