import { closestMatch } from 'leven';
import { z } from 'zod';
import { type OperationId, operations, scopes } from '../generated/operations.ts';
import { optionalFields } from './optional-fields.ts';

/**
 * The name of a scope. The specification leaves the list open, so any name is accepted, unless it looks like a typo of a known
 * scope.
 */
export const scope = z
  .string()
  .min(1)
  .superRefine((name, context) => {
    // `siteLabel:write` does not mean `siteFile:write`.
    const meant = closestMatch(name, scopes, { maxDistance: 2 });
    if (meant !== undefined && meant !== name)
      context.addIssue({ code: 'custom', message: `unknown value "${name}"; did you mean "${meant}"?` });
  })
  .meta({ examples: [...scopes] });

const fields = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('The HTTP method of this deployment.'),
  scopes: z.array(scope).describe('All scopes that a key needs.'),
};

/**
 * The `operations` of a target or a profile: differences from the contract, by operationId; null if the deployment does not have
 * the operation. Path parameters keep the names of the contract, so that values can be inserted.
 * @param extra further fields of an operation in this document
 */
export function operationOverrides<Extra extends z.core.$ZodLooseShape>(extra: Extra) {
  const override = (id: OperationId) =>
    optionalFields({ ...fields, ...extra, path: pathLike(id) })
      .nullable()
      .describe(`${operations[id].summary}. The contract has ${operations[id].method} ${operations[id].path}.`);
  const ids = Object.keys(operations) as OperationId[];
  // The type of fromEntries cannot express that the keys are the ids.
  const shape = Object.fromEntries(ids.map((id) => [id, override(id)])) as Record<
    OperationId,
    ReturnType<typeof override>
  >;
  return optionalFields(shape);
}

function pathLike(id: OperationId) {
  const wanted = [...operations[id].pathParameters].sort().map((name) => `{${name}}`);
  const parameters = (path: string) =>
    path
      .split('/')
      .filter((segment) => /[{}]/.test(segment))
      .sort();
  const named =
    wanted.length === 0
      ? 'no path parameters'
      : `the path parameters ${wanted.join(', ')}, each once and between slashes`;
  return z
    .string()
    .regex(/^\/[^\s?#]*$/, 'must start with "/" and have neither a query nor spaces')
    .refine((path) => parameters(path).join() === wanted.join(), `must have ${named}, as ${operations[id].path} has`)
    .describe('The path after baseUrl, with the path parameters of the contract.');
}
