import type { Hooks } from '../../spec/files/hooks.ts';
import type { Target, TargetTenant } from '../../spec/files/target.ts';
import { type Operation, type OperationId, operationIds, operations, type Provenance } from '../../spec/operations.ts';

/** An operation as the target file says this deployment has it. */
export interface DeployedOperation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly scopes: Operation['scopes'];
  /** Where method, path and scopes stand: a deployment that was asked about them has no assumed ones. */
  readonly provenance: { readonly address: Provenance; readonly scopes: Provenance };
}

/** The deployment under test: the target file with the contract's own answers where it says nothing. */
export interface Deployment {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly tenant: TargetTenant;
  readonly stranger: TargetTenant | undefined;
  readonly clockSkewSeconds: number;
  /** Headers that every request carries, for a gateway before the API. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long reads may lag behind writes. */
  readonly settleMilliseconds: number;
  /** A content type that uploads may have. */
  readonly uploadContentType: string;
  /** Further fields that a registration needs. */
  readonly registration: Readonly<Record<string, unknown>>;
  /** Commands for what only the product can do. */
  readonly hooks: Hooks;
  /** Undefined where the deployment has no such operation. */
  operation(id: OperationId): DeployedOperation | undefined;
  readonly operations: readonly DeployedOperation[];
}

/** @param target checked: it has at least one tenant. */
export function deploymentOf(target: Target): Deployment {
  const [tenant, stranger] = target.tenants;
  if (tenant === undefined) throw new RangeError('a target has at least one tenant');
  const deployed = new Map<OperationId, DeployedOperation>();
  for (const id of operationIds) {
    const said = target.operations?.[id];
    if (said === null) continue;
    const contract = operations[id];
    const { method, path, scopes } = contract.provenance;
    deployed.set(id, {
      id,
      method: said?.method ?? contract.method,
      path: said?.path ?? contract.path,
      scopes: said?.scopes ?? contract.scopes,
      provenance: {
        address: weaker(said?.method ? 'documented' : method, said?.path ? 'documented' : path),
        scopes: said?.scopes ? 'documented' : scopes,
      },
    });
  }
  return {
    baseUrl: target.baseUrl.replace(/\/+$/, ''),
    tenant,
    stranger,
    clockSkewSeconds: target.clockSkewSeconds,
    headers: target.headers,
    settleMilliseconds: target.settleMilliseconds,
    uploadContentType: target.upload.contentType,
    registration: target.upload.registration,
    hooks: target.hooks,
    operation: (id) => deployed.get(id),
    operations: [...deployed.values()],
  };
}

const strength: readonly Provenance[] = ['assumed', 'reference', 'documented'];

const weaker = (a: Provenance, b: Provenance) => (strength.indexOf(a) < strength.indexOf(b) ? a : b);
