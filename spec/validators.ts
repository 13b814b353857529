import type { OperationId } from './generated/operations.ts';
import { requestValidators } from './generated/request-validators.js';
import { problemsOf, type ValidationProblem } from './validation-problem.ts';

/**
 * Checks the decoded path parameters of a request, or its parsed body, against the contract. An operation without a body accepts any.
 * @returns null if they are valid, otherwise a list with the first problem, whose field is `path.<name>`, `body` or `body.<name>`
 */
export function requestProblems(
  id: OperationId,
  part: 'path' | 'body',
  data: unknown,
): readonly ValidationProblem[] | null {
  const validator = requestValidators[id][part];
  return validator && problemsOf(validator, part, data);
}
