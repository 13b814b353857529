/** The lawful requests of each operation: one for each record of a tenant that it can be about. */
import type { TargetTenant } from '../../spec/files/target.ts';
import { type OperationId, operationList } from '../../spec/operations.ts';
import type { Ask } from '../client/ask.ts';
import { nowhere, type Request } from '../contract/request.ts';
import { type Deployment, keysFor } from '../target/deployment.ts';
import { holderParams, labelOperations, subjectOf } from '../target/holder.ts';
import { holdersOf, type KnownHolder, sparesOf } from '../target/records.ts';

interface Lawful {
  /** The record in ids of scripts: `open-conversation`; empty where the operation is about no record. */
  readonly slug: string;
  readonly ask: Ask;
  /** The holder, if the operation writes labels. */
  readonly holder?: KnownHolder;
}

/** @param tenant the tenant under test by default */
export function lawfulAsks(
  operation: OperationId,
  deployment: Deployment,
  tenant: TargetTenant = deployment.tenant,
): readonly Lawful[] {
  const kind = subjectOf(operation);
  if (kind === null) return [{ slug: '', ask: { operation } }];
  if (kind === 'client')
    return tenant.clientSite ? [{ slug: 'client', ask: { operation, params: { id: tenant.clientSite.client } } }] : [];
  const bodies: Partial<Record<OperationId, object>> = {
    startSiteFileUpload: { contentType: deployment.uploadContentType },
    // The fileKey does not exist, so the request cannot succeed and leaves nothing behind.
    registerSiteFile: { fileKey: '0f0f0f0f-0000-4000-8000-00000000f404', ...deployment.registration },
  };
  const isWrite = Object.values(labelOperations[kind]).includes(operation as never);
  const [spare] = sparesOf(tenant);
  return holdersOf(tenant)
    .filter(({ holder }) => holder.kind === kind && (spare !== undefined || !isWrite))
    .map((holder) => ({
      slug: holder.slug,
      ask: {
        operation,
        params: holderParams(holder.holder, isWrite ? spare?.id : undefined),
        ...(bodies[operation] && { body: bodies[operation] }),
      },
      ...(isWrite && { holder }),
    }));
}

/** A request that anybody with the scopes may send. */
export type Errand = Omit<Request, 'who'>;

/** Operations that only read, in the order in which they are tried. */
export const reads: readonly OperationId[] = operationList.filter(({ method }) => method === 'GET').map(({ id }) => id);

/** The lawful requests of a tenant's keys. @param may by default, any key of the tenant may send them */
export const errandsOf = (
  deployment: Deployment,
  tenant: TargetTenant,
  operations: readonly OperationId[] = reads,
  may = (id: OperationId) => keysFor(deployment, id, tenant).length > 0,
): Errand[] =>
  operations
    .filter((id) => deployment.operation(id) && may(id))
    .flatMap((id) => lawfulAsks(id, deployment, tenant))
    .map(({ ask: { operation, params, body } }) => ({
      operation,
      place: params ? { owner: 'ours', params } : nowhere,
      ...(body !== undefined && { body }),
    }));
