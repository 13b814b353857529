import type { OperationId } from './generated/operations.ts';
import { requestValidators } from './generated/request-validators.js';
import { problemsOf, type ValidationProblem } from './validation-problem.ts';

/**
 * Checks decoded path parameters against the contract.
 * @returns null if they are valid, otherwise a list with the first problem, whose field is `path.<name>`
 */
export function validatePathParams(
  id: OperationId,
  params: Readonly<Record<string, string>>,
): readonly ValidationProblem[] | null {
  return problemsOf(requestValidators[id].path, 'path', params);
}

/**
 * Checks a parsed JSON body against the contract. An operation without a body accepts any.
 * @param body undefined if the request has none
 * @returns null if it is valid, otherwise a list with the first problem, whose field is `body` or `body.<name>`
 */
export function validateBody(id: OperationId, body: unknown): readonly ValidationProblem[] | null {
  const validator = requestValidators[id].body;
  return validator && problemsOf(validator, 'body', body);
}
