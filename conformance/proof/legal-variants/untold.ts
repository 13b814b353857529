import { asArray, asObject, objectOf, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { onReplyTo, withText } from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

const removals = {
  removeConversationLabel: { path: '/v1/conversation/{id}/labels/{labelId}' },
  removeSiteLabel: { path: '/v1/labels/{labelId}/sites/{id}' },
  removeClientSiteLabel: { method: 'POST', path: '/v1/client/{clientId}/site/{siteId}/label/{labelId}/remove' },
} as const;

/** Deployments that keep the contract but hide some of the evidence. An undecided rule is not a failure. */
export const untold: readonly LegalVariant[] = [
  {
    id: 'nothing-in-a-closed-context',
    does: 'answers the context of a closed conversation as an empty object, because no field is required',
    unjudged: ['context/get-answers-context'],
    around: withText({ id: 'getConversationContext', ok: true, record: 'closed' }, '{}'),
  },
  {
    id: 'labels-in-pages',
    does: 'lists labels a page at a time, and the spare label is on the second one',
    unjudged: ['labels/listing-gives-public-labels'],
    around: onReplyTo({ id: 'listLabels', ok: true }, ({ reply }) => {
      const labels = asArray(objectOf(reply).labels).filter((label) => asObject(label).name !== 'spare');
      return withProperties(reply, { labels, nextCursor: 'c3BhcmU' });
    }),
  },
  {
    id: 'labels-removed-elsewhere',
    does: 'removes labels with methods and at paths that the target file does not give',
    unjudged: 'any',
    options: () => ({ profile: { operations: removals } }),
    target: ({ operations, ...target }) => ({
      ...target,
      operations: Object.fromEntries(Object.entries(operations ?? {}).filter(([id]) => !Object.hasOwn(removals, id))),
    }),
  },
];
