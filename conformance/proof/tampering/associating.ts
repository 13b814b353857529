import { asArray, each, type Json } from '../../../mock/proof/tampering/json-value.ts';
import type { Asked } from '../../../mock/proof/tampering/tamper.ts';
import { inReply } from './when.ts';

/** Adds a conversation to those that are associated with the sites of contexts. */
export const associating = (conversation: (asked: Asked) => Json) =>
  inReply({ id: 'getConversationContext', ok: true }, ({ sites }, asked) => ({
    sites: each(sites, ({ associatedConversations, ...site }) => ({
      ...site,
      associatedConversations: [...asArray(associatedConversations), conversation(asked)],
    })),
  }));
