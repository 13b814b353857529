import type { OperationId } from '../../../spec/operations.ts';
import { operations } from '../../../spec/operations.ts';

/** A field of the target file with a record for this operation. */
export function fieldFor(operation: OperationId, index = 0): string {
  const { path } = operations[operation];
  const record = path.startsWith('/v1/conversation/')
    ? 'conversations.open'
    : path.startsWith('/v1/site/')
      ? 'sites.current'
      : 'clientSite';
  return `tenants[${index}].${record}`;
}
