// Generated from spec/openapi.yaml by npm run generate; do not edit.
import type { OperationId } from '../../../spec/operations.ts';
import type { Operation } from '../../operation.ts';
import { getHealth } from '../getHealth.ts';
import { listLabels } from '../listLabels.ts';
import { getConversation } from '../getConversation.ts';
import { getConversationContext } from '../getConversationContext.ts';
import { applyConversationLabel } from '../applyConversationLabel.ts';
import { removeConversationLabel } from '../removeConversationLabel.ts';
import { getSite } from '../getSite.ts';
import { applySiteLabel } from '../applySiteLabel.ts';
import { removeSiteLabel } from '../removeSiteLabel.ts';
import { applyClientSiteLabel } from '../applyClientSiteLabel.ts';
import { removeClientSiteLabel } from '../removeClientSiteLabel.ts';
import { startSiteFileUpload } from '../startSiteFileUpload.ts';
import { registerSiteFile } from '../registerSiteFile.ts';
import { getClient } from '../getClient.ts';

/** The handlers of all operations. */
export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  getHealth,
  listLabels,
  getConversation,
  getConversationContext,
  applyConversationLabel,
  removeConversationLabel,
  getSite,
  applySiteLabel,
  removeSiteLabel,
  applyClientSiteLabel,
  removeClientSiteLabel,
  startSiteFileUpload,
  registerSiteFile,
  getClient,
};
