import { operation } from '../operation.ts';
import { contextOf } from '../store/context.ts';
import { conversationOf } from '../store/find.ts';

export const getConversationContext = operation('getConversationContext', ({ params, tenant }) =>
  contextOf(tenant, conversationOf(tenant, params.id)),
);
