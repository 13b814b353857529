import type { OperationId } from './generated/operations.ts';
import { requestValidators } from './generated/request-validators.js';
import { problemsOf, type ValidationProblem } from './validation-problem.ts';

/**
 * Checks decoded path parameters against the contract.
 * @returns null when they are valid, else the first problem in a list, its field `path.<name>`
 */
export function validatePathParams(
  id: OperationId,
  params: Readonly<Record<string, string>>,
): readonly ValidationProblem[] | null {
  return problemsOf(requestValidators[id].path, 'path', params);
}

/**
 * Checks a parsed JSON body against the contract. An operation without a body takes anything.
 * @param body undefined when none was sent
 * @returns null when it is valid, else the first problem in a list, its field `body` or `body.<name>`
 */
export function validateBody(id: OperationId, body: unknown): readonly ValidationProblem[] | null {
  const validator = requestValidators[id].body;
  return validator && problemsOf(validator, 'body', body);
}
