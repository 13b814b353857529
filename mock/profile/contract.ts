import type { Profile } from '../../spec/files/profile-schema.ts';
import { isOperationId, type Operation, type OperationId, operationIds, operations } from '../../spec/operations.ts';

/** The operations of a deployment. Operations that it does not have are missing. */
export type DeployedContract = Readonly<Partial<Record<OperationId, Operation>>>;

/** The contract with the profile's methods, paths, scopes and success statuses. */
export function deployedContract({ operations: overrides = {}, upload = {} }: Profile): DeployedContract {
  const deployed: Partial<Record<OperationId, Operation>> = {};
  for (const id of operationIds) {
    const override = overrides[id];
    if (override === null) continue;
    const { status = id === 'registerSiteFile' ? upload.registerStatus : undefined, ...routing } = override ?? {};
    deployed[id] = { ...operations[id], ...routing, ...(status !== undefined && { success: status }) };
  }
  return deployed;
}

interface OpenapiOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}
type PathItem = Readonly<Record<string, unknown>>;
interface Openapi {
  readonly paths: Readonly<Record<string, PathItem>>;
}

/**
 * The OpenAPI document with the profile's methods, paths, scopes and success statuses, without the operations that the
 * profile removes. Bodies are those of the contract.
 */
export function deployedOpenapi<Document extends Openapi>(document: Document, profile: Profile | undefined): Document {
  if (profile === undefined) return document;
  const contract = deployedContract(profile);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item).filter(isOperation)) {
      const { operationId: id } = operation;
      const deployed = isOperationId(id) ? contract[id] : undefined;
      if (deployed === undefined) continue;
      const { method, path, scopes } = deployed;
      const { [operations[deployed.id].success]: success, ...refusals } = operation.responses;
      // If a path changes, its parameters move with it.
      const beside = Object.fromEntries(Object.entries(item).filter(([, value]) => !isOperation(value)));
      paths[path] ??= beside;
      paths[path][method.toLowerCase()] = {
        ...operation,
        security: [{ apiKey: scopes }],
        'x-scopes': scopes,
        responses: { [deployed.success]: success, ...refusals },
      };
    }
  }
  return { ...document, paths };
}

const isOperation = (value: unknown): value is OpenapiOperation =>
  typeof value === 'object' && value !== null && 'operationId' in value;
