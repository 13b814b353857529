// Of the generated module beside it.
import type { CompiledValidator } from '../validation-problem.ts';
import type { OperationId } from './operations.ts';

export declare const requestValidators: Readonly<
  Record<OperationId, { readonly path: CompiledValidator; readonly body: CompiledValidator | null }>
>;
