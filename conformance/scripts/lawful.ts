import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Ask } from '../client/ask.ts';
import type { Deployment } from '../target/deployment.ts';
import { holderParams } from '../target/holder.ts';
import { holdersOf, type KnownHolder, sparesOf } from '../target/records.ts';

/** A lawful request of an operation, and the record that it is about. */
interface Lawful {
  /** The record in ids of scripts: `open-conversation`; empty where the operation is about no record. */
  readonly slug: string;
  readonly ask: Ask;
  /** The holder, if the operation writes labels. */
  readonly holder?: KnownHolder;
}

/** The input for lawful requests. */
interface Given {
  readonly tenant: TargetTenant;
  readonly deployment: Deployment;
  readonly newId: () => string;
}

const ofHolders =
  (kind: KnownHolder['holder']['kind'], operation: OperationId) =>
  ({ tenant }: Given): Lawful[] =>
    holdersOf(tenant).flatMap((record) => {
      const [spare] = sparesOf(tenant);
      if (record.holder.kind !== kind || spare === undefined) return [];
      return [{ slug: record.slug, ask: { operation, params: holderParams(record.holder, spare.id) }, holder: record }];
    });

const ofRecords =
  (kind: 'conversation' | 'site', operation: OperationId, body?: (given: Given) => unknown) =>
  (given: Given): Lawful[] =>
    holdersOf(given.tenant).flatMap(({ slug, holder }) =>
      holder.kind !== kind
        ? []
        : [{ slug, ask: { operation, params: { id: holder.id }, ...(body && { body: body(given) }) } }],
    );

/**
 * The lawful requests of each operation, one for each possible record of a tenant. Scripts are generated from this table. An operation
 * without an entry does not compile.
 */
const lawful: Readonly<Record<OperationId, (given: Given) => readonly Lawful[]>> = {
  getHealth: () => [{ slug: '', ask: { operation: 'getHealth' } }],
  listLabels: () => [{ slug: '', ask: { operation: 'listLabels' } }],
  getConversation: ofRecords('conversation', 'getConversation'),
  getConversationContext: ofRecords('conversation', 'getConversationContext'),
  getSite: ofRecords('site', 'getSite'),
  getClient: ({ tenant: { clientSite } }) =>
    clientSite === undefined
      ? []
      : [{ slug: 'client', ask: { operation: 'getClient', params: { id: clientSite.client } } }],
  applyConversationLabel: ofHolders('conversation', 'applyConversationLabel'),
  removeConversationLabel: ofHolders('conversation', 'removeConversationLabel'),
  applySiteLabel: ofHolders('site', 'applySiteLabel'),
  removeSiteLabel: ofHolders('site', 'removeSiteLabel'),
  applyClientSiteLabel: ofHolders('link', 'applyClientSiteLabel'),
  removeClientSiteLabel: ofHolders('link', 'removeClientSiteLabel'),
  startSiteFileUpload: ofRecords('site', 'startSiteFileUpload', ({ deployment }) => ({
    contentType: deployment.uploadContentType,
  })),
  // The fileKey does not exist, so the request cannot succeed and leaves nothing behind.
  registerSiteFile: ofRecords('site', 'registerSiteFile', ({ newId, deployment }) => ({
    fileKey: newId(),
    ...deployment.registration,
  })),
};

/** The lawful requests of an operation. @param tenant the tenant under test by default */
export const lawfulAsks = (
  operation: OperationId,
  deployment: Deployment,
  newId: () => string,
  tenant: TargetTenant = deployment.tenant,
): readonly Lawful[] => lawful[operation]({ tenant, deployment, newId });
