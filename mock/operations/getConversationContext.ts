import { About, operation } from '../operation.ts';
import { contextOf } from '../store/record-bodies.ts';

export const getConversationContext = operation(
  'getConversationContext',
  ({ record, tenant }) => new About(record, () => contextOf(tenant, record)),
);
