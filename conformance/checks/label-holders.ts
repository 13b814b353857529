import { type LabelPlace, labelPlaces, legacySitePlace } from './legal-calls.ts';

const sites: readonly LabelPlace[] = [
  {
    slug: 'current-site',
    fact: 'currentSite',
    holder: ({ currentSite }) => ({ kind: 'site', id: currentSite }),
    apply: 'applySiteLabel',
    remove: 'removeSiteLabel',
  },
  legacySitePlace,
];

const conversations: readonly LabelPlace[] = [
  {
    slug: 'open-conversation',
    fact: 'openConversation',
    holder: ({ openConversation }) => ({ kind: 'conversation', id: openConversation }),
    apply: 'applyConversationLabel',
    remove: 'removeConversationLabel',
  },
  {
    slug: 'closed-conversation',
    fact: 'closedConversation',
    holder: ({ closedConversation }) => ({ kind: 'conversation', id: closedConversation }),
    apply: 'applyConversationLabel',
    remove: 'removeConversationLabel',
  },
];

/** Every kind of record that carries labels, a closed conversation and a site with a bare id among them. */
export const labelHolders: readonly LabelPlace[] = [
  ...conversations,
  ...sites,
  ...labelPlaces.filter(({ slug }) => slug === 'link'),
];
