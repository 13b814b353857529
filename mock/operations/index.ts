import type { OperationId } from '../../spec/operations.ts';
import type { Operation } from '../operation.ts';
import { applyClientSiteLabel } from './applyClientSiteLabel.ts';
import { applyConversationLabel } from './applyConversationLabel.ts';
import { applySiteLabel } from './applySiteLabel.ts';
import { getClient } from './getClient.ts';
import { getConversation } from './getConversation.ts';
import { getConversationContext } from './getConversationContext.ts';
import { getHealth } from './getHealth.ts';
import { getSite } from './getSite.ts';
import { listLabels } from './listLabels.ts';
import { registerSiteFile } from './registerSiteFile.ts';
import { removeClientSiteLabel } from './removeClientSiteLabel.ts';
import { removeConversationLabel } from './removeConversationLabel.ts';
import { removeSiteLabel } from './removeSiteLabel.ts';
import { startSiteFileUpload } from './startSiteFileUpload.ts';

/** Every operation of the contract; forgetting one is a compile error. */
export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  getHealth,
  listLabels,
  getConversation,
  getConversationContext,
  applyConversationLabel,
  removeConversationLabel,
  applySiteLabel,
  removeSiteLabel,
  applyClientSiteLabel,
  removeClientSiteLabel,
  startSiteFileUpload,
  registerSiteFile,
  getSite,
  getClient,
};
