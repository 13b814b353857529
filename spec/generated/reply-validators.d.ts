// Of the generated module beside it.
import type { CompiledValidator } from '../validation-problem.ts';
import type { OperationId } from './operations.ts';

/** By status. Header validators take an object of header values (strings) under lower-case names. */
export type ReplyValidators = Readonly<
  Record<number, { readonly body: CompiledValidator; readonly headers: CompiledValidator | null }>
>;

export declare const replyValidators: Readonly<Record<OperationId, ReplyValidators>>;

/** For replies that are sent before the operation is known. */
export declare const unroutedReplyValidators: ReplyValidators;
