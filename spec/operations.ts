import { type Operation, type OperationId, operations } from './generated/operations.ts';

export * from './generated/operations.ts';

/** All operations, in the order of `openapi.yaml`. This module imports no library, so that k6 can load it. */
export const operationList: readonly Operation[] = Object.values(operations);

/** The ids of all operations, in the same order. */
export const operationIds: readonly OperationId[] = operationList.map(({ id }) => id);

/** Whether a text is the id of an operation. */
export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(operations, text);
}
