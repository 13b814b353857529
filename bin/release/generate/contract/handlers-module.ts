/** The table of the mock's handlers. An operation without a file does not compile. */
export function handlersModule(ids: readonly string[]): string {
  return `// Generated from spec/openapi.yaml by npm run generate; do not edit.
import type { OperationId } from '../../../spec/operations.ts';
import type { Operation } from '../../operation.ts';
${ids.map((id) => `import { ${id} } from '../${id}.ts';`).join('\n')}

/** The handlers of all operations. */
export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
${ids.map((id) => `  ${id},`).join('\n')}
};
`;
}
