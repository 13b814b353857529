import { asArray, asObject } from '../../../mock/proof/tampering/json-value.ts';
import { inReply, withText } from '../tampering/when.ts';
import { type LegalVariant, legal } from './legal-variant.ts';

const removals = {
  removeConversationLabel: { path: '/v1/conversation/{id}/labels/{labelId}' },
  removeSiteLabel: { path: '/v1/labels/{labelId}/sites/{id}' },
  removeClientSiteLabel: { method: 'POST', path: '/v1/client/{clientId}/site/{siteId}/label/{labelId}/remove' },
} as const;

/** Deployments that keep the contract but hide some of the evidence. An undecided rule is not a failure. */
export const untold: readonly LegalVariant[] = legal({
  'nothing-in-a-closed-context': {
    around: withText({ id: 'getConversationContext', ok: true, record: 'closed' }, '{}'),
    unjudged: ['context/get-answers-context'],
  },
  'labels-in-pages': {
    around: inReply({ id: 'listLabels', ok: true }, ({ labels }) => ({
      labels: asArray(labels).filter((label) => asObject(label).name !== 'spare'),
      nextCursor: 'c3BhcmU',
    })),
    unjudged: ['labels/listing-gives-public-labels'],
  },
  'labels-removed-elsewhere': [
    'removes labels with methods and at paths that the target file does not give',
    {
      options: () => ({ profile: { operations: removals } }),
      target: ({ operations, ...target }) => ({
        ...target,
        operations: Object.fromEntries(Object.entries(operations ?? {}).filter(([id]) => !Object.hasOwn(removals, id))),
      }),
      unjudged: 'any',
    },
  ],
});
