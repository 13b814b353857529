import type { OperationId } from '../../spec/operations.ts';
import type { Deployment } from './deployment.ts';
import { carries, type KeyOfTenant, keysWith } from './keys.ts';

/** Reads with small replies, which disturb nobody even if a limiter admits too many of them. */
export const lightReads = ['getHealth', 'listLabels', 'getConversationContext', 'getConversation', 'getSite'] as const;

/** Whether the deployment has a light read that the key may send. */
const mayRead = (deployment: Deployment, key: Pick<KeyOfTenant, 'scopes'>): boolean =>
  lightReads.some((id: OperationId) => deployment.operation(id) && carries(key, deployment.scopesOf(id)));

/** The key of the tenant under test with the fewest scopes that may send a light read. */
export const narrowestReader = (deployment: Deployment): KeyOfTenant | undefined =>
  keysWith(deployment.tenant, []).find((key) => mayRead(deployment, key));
