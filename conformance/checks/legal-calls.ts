import type { OperationId } from '../../spec/operations.ts';
import type { CallOptions, CheckContext } from '../check.ts';
import { expectControl, statusOf } from '../expect.ts';
import type { FactName, Facts, Holder } from '../facts.ts';
import { Inconclusive } from '../outcome.ts';
import { type Reply, succeeded } from '../reply.ts';

/** One lawful request of an operation that changes no label: what checks vary, and the control they compare with. */
export interface LegalCall {
  readonly id: OperationId;
  /** In the ids of checks. */
  readonly slug: string;
  readonly needs: readonly FactName[];
  readonly options: (given: Facts, newId: () => string) => CallOptions;
  /** Not an operation of the specification, only of the public reference: a deployment need not have it. */
  readonly optional?: true;
  /** Cannot succeed without leaving something behind: its control is that it is refused for another reason than the key. */
  readonly neverSucceeds?: true;
}

export const legalCalls: readonly LegalCall[] = [
  { id: 'getHealth', slug: 'health', needs: [], options: () => ({}) },
  { id: 'listLabels', slug: 'labels-list', needs: [], options: () => ({}) },
  {
    id: 'getConversation',
    slug: 'conversation',
    needs: ['openConversation'],
    options: ({ openConversation }) => ({ params: { id: openConversation } }),
  },
  {
    id: 'getConversationContext',
    slug: 'context',
    needs: ['openConversation'],
    options: ({ openConversation }) => ({ params: { id: openConversation } }),
  },
  { id: 'getSite', slug: 'site', needs: ['site'], options: ({ site }) => ({ params: { id: site } }), optional: true },
  {
    id: 'getClient',
    slug: 'client',
    needs: ['client'],
    options: ({ client }) => ({ params: { id: client } }),
    optional: true,
  },
  {
    id: 'startSiteFileUpload',
    slug: 'upload-start',
    needs: ['site'],
    options: ({ site }) => ({ params: { id: site }, body: { contentType: 'text/plain' } }),
  },
  {
    id: 'registerSiteFile',
    slug: 'file-register',
    needs: ['site'],
    options: ({ site }, newId) => ({ params: { id: site }, body: { fileKey: newId() } }),
    neverSucceeds: true,
  },
];

/** The lawful request of that operation. @throws Error for one that changes labels: those are in `label-places.ts`. */
export function legalCall(id: OperationId): LegalCall {
  const found = legalCalls.find((legal) => legal.id === id);
  if (found === undefined) throw new Error(`${id} has no legal call of its own`);
  return found;
}

/**
 * Sends the lawful request, once in a run for all checks that build upon it.
 * @returns false where the deployment need not have the operation and has none, so that there is nothing to judge
 * @throws Inconclusive when it does not get through: its refusal under other circumstances then says nothing
 */
export async function controlled(
  { call, given, shared, newId, observe }: Pick<CheckContext, 'call' | 'given' | 'shared' | 'newId' | 'observe'>,
  legal: LegalCall,
): Promise<boolean> {
  const reply: Reply = await shared(`legal/${legal.slug}`, () => call(legal.id, legal.options(given, newId)));
  if (legal.optional && !reply.planned && !succeeded(reply)) {
    observe(`nothing to judge, only the public reference has this operation: ${statusOf(reply)}`);
    return false;
  }
  if (!legal.neverSucceeds) expectControl(reply, 'the same request, lawful');
  else if (!reply.planned && (reply.status === 401 || reply.status === 403))
    throw new Inconclusive(`the control failed: with a key and its scopes ${statusOf(reply)}`);
  return true;
}

/** Somewhere labels can be put on and taken off. */
export interface LabelPlace {
  /** In the ids of checks. */
  readonly slug: string;
  readonly fact: FactName;
  readonly holder: (given: Facts) => Holder;
  readonly apply: OperationId;
  readonly remove: OperationId;
}

export const labelPlaces: readonly LabelPlace[] = [
  {
    slug: 'conversation',
    fact: 'openConversation',
    holder: ({ openConversation }) => ({ kind: 'conversation', id: openConversation }),
    apply: 'applyConversationLabel',
    remove: 'removeConversationLabel',
  },
  {
    slug: 'site',
    fact: 'site',
    holder: ({ site }) => ({ kind: 'site', id: site }),
    apply: 'applySiteLabel',
    remove: 'removeSiteLabel',
  },
  {
    slug: 'link',
    fact: 'link',
    holder: ({ link }) => ({ kind: 'link', ...link }),
    apply: 'applyClientSiteLabel',
    remove: 'removeClientSiteLabel',
  },
];

/** A site with a bare id: the same operations as for the newer ids, and another look-up behind them. */
export const legacySitePlace: LabelPlace = {
  slug: 'legacy-site',
  fact: 'legacySite',
  holder: ({ legacySite }) => ({ kind: 'site', id: legacySite }),
  apply: 'applySiteLabel',
  remove: 'removeSiteLabel',
};
