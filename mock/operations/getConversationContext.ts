import { operation } from '../operation.ts';
import { contextOf } from '../store/context.ts';
import { conversationOf } from '../store/find.ts';

export const getConversationContext = operation('getConversationContext', ({ params, tenant }) => {
  const conversation = conversationOf(tenant, params.id);
  return tenant.shown('context', conversation, () => contextOf(tenant, conversation));
});
