import type { Target } from '../../spec/files/target.ts';
import { type OperationId, operations } from '../../spec/operations.ts';

/** How one deployment serves an operation. */
interface ServedOperation {
  readonly id: OperationId;
  readonly method: string;
  /** A template, as in the contract. */
  readonly path: string;
  readonly scopes: readonly string[];
}

/** The operation as this target serves it; undefined where the target file says that the deployment lacks it. */
export function operationOf(target: Pick<Target, 'operations'>, id: OperationId): ServedOperation | undefined {
  const override = target.operations[id];
  if (override === null) return undefined;
  const { method, path, scopes } = operations[id];
  return { id, method: override?.method ?? method, path: override?.path ?? path, scopes: override?.scopes ?? scopes };
}
