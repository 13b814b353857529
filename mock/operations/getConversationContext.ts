import { About, operation } from '../operation.ts';
import { conversationOf } from '../store/find.ts';
import { contextOf } from '../store/record-bodies.ts';

export const getConversationContext = operation('getConversationContext', ({ params, tenant }) => {
  const conversation = conversationOf(tenant, params.id);
  return new About(conversation, () => contextOf(tenant, conversation));
});
