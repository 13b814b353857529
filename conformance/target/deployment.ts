import type { Target } from '../../spec/files/target.ts';
import {
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type Provenance,
  type Scope,
} from '../../spec/operations.ts';

/** An operation of this deployment: the contract with the changes of the target file. */
export interface DeployedOperation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly scopes: Operation['scopes'];
  /** Of method and path, and of scopes. What the target file states counts as documented. */
  readonly provenance: { readonly address: Provenance; readonly scopes: Provenance };
}

export type Deployment = ReturnType<typeof deploymentOf>;

/**
 * The deployment under test: the target file, completed from the contract.
 * @param target has at least one tenant, as the schema of target files demands
 */
export function deploymentOf(target: Target) {
  const { clockSkewSeconds, headers, hooks, settleMilliseconds, upload } = target;
  const [tenant, stranger] = target.tenants;
  if (tenant === undefined) throw new RangeError('a target has at least one tenant');
  const deployed = new Map<OperationId | 'storage' | null, DeployedOperation>();
  for (const id of operationIds) {
    const override = target.operations?.[id];
    if (override === null) continue;
    const contract = operations[id];
    const { method, path, scopes } = contract.provenance;
    deployed.set(id, {
      id,
      method: override?.method ?? contract.method,
      path: override?.path ?? contract.path,
      scopes: override?.scopes ?? contract.scopes,
      provenance: {
        address: weaker(override?.method ? 'documented' : method, override?.path ? 'documented' : path),
        scopes: override?.scopes ? 'documented' : scopes,
      },
    });
  }
  return {
    /** Without a slash at the end. */
    baseUrl: target.baseUrl.replace(/\/+$/, ''),
    ...{ tenant, stranger, clockSkewSeconds, headers, hooks, settleMilliseconds },
    /** A content type that this deployment accepts for uploads. */
    uploadContentType: upload.contentType,
    /** Headers of every PUT to an upload URL, besides Content-Type. */
    uploadHeaders: upload.headers,
    /** Further fields that a registration needs. */
    registration: upload.registration,
    /** Undefined where the deployment has no such operation. */
    operation: (id: OperationId | 'storage' | null) => deployed.get(id),
    /** The scopes that these operations need together. */
    scopesOf: (...ids: readonly OperationId[]): readonly Scope[] => ids.flatMap((id) => deployed.get(id)?.scopes ?? []),
    operations: [...deployed.values()] as readonly DeployedOperation[],
  };
}

const strength: readonly Provenance[] = ['assumed', 'reference', 'documented'];

const weaker = (a: Provenance, b: Provenance) => (strength.indexOf(a) < strength.indexOf(b) ? a : b);
