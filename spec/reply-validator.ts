import type { OperationId } from './generated/operations.ts';
import { replyValidators, unroutedReplyValidators } from './generated/reply-validators.js';
import { problemsOf, type ValidationProblem } from './validation-problem.ts';

const JSON_MEDIA_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Checks a reply against the contract.
 * @param id the operation, or null if the request matched none (unknown path, wrong method)
 * @param body the parsed JSON body
 * @param headers names in any case; without it, headers are not checked
 * @returns all problems; empty if the reply keeps the contract. A status that the contract does not declare is a problem
 */
export function validateReply(
  id: OperationId | null,
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string | undefined>>,
): readonly ValidationProblem[] {
  const declared = id === null ? unroutedReplyValidators : replyValidators[id];
  const validators = declared[status];
  if (validators === undefined) {
    const owner = id ?? 'a request without an operation';
    const message = `status ${status} is not declared for ${owner}; declared are ${Object.keys(declared).join(', ')}`;
    return [{ field: 'status', keyword: 'status', message }];
  }

  const problems = problemsOf(validators.body, 'body', body) ?? [];
  if (headers === undefined) return problems;

  const lowerCase: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) lowerCase[name.toLowerCase()] = value;
  if (!JSON_MEDIA_TYPE.test(lowerCase['content-type'] ?? '')) {
    problems.push({
      field: 'header.content-type',
      keyword: 'const',
      message: 'header.content-type must be application/json',
    });
  }
  if (validators.headers) problems.push(...(problemsOf(validators.headers, 'header', lowerCase) ?? []));
  return problems;
}
