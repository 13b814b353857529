// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.
import type { CompiledValidator } from '../validation-problem.ts';
import type { OperationId } from './operations.ts';

export declare const requestValidators: Readonly<
  Record<OperationId, { readonly path: CompiledValidator; readonly body: CompiledValidator | null }>
>;
