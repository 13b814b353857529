import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { type Operation, type OperationId, operationIds, operations } from '../../spec/operations.ts';
import { createRouter, type Router } from '../../spec/routes.ts';

/** An operation of a deployment. Its scopes may be unknown to the contract. */
export interface DeployedOperation extends Omit<Operation, 'id' | 'scopes'> {
  readonly id: OperationId;
  readonly scopes: readonly string[];
}

/** The operations of a deployment. Operations that it does not have are missing. */
export type DeployedContract = Readonly<Partial<Record<OperationId, DeployedOperation>>>;

/** The contract with the profile's methods, paths, scopes and success statuses. */
export function deployedContract({ operations: overrides = {}, upload = {} }: Profile): DeployedContract {
  const deployed: Partial<Record<OperationId, DeployedOperation>> = {};
  for (const id of operationIds) {
    const override = overrides[id];
    if (override === null) continue;
    const { status = id === 'registerSiteFile' ? upload.registerStatus : undefined, ...routing } = override ?? {};
    deployed[id] = { ...operations[id], ...routing, ...(status !== undefined && { success: status }) };
  }
  return deployed;
}

/** @throws ConfigurationError if two operations would have the same route */
export function deployedRouter(contract: DeployedContract, where: string): Router<OperationId> {
  try {
    return createRouter(Object.values(contract));
  } catch (error) {
    throw new ConfigurationError([`${where}: operations: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
