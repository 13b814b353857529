import { z } from 'zod';
import { type OperationId, operations, scopes } from '../generated/operations.ts';
import { nearest } from '../text/nearest.ts';
import { closedObject, oneOf } from './closed-object.ts';

/** Both parts are near those of the known scope, and nearly as long: `siteLabel:write` is no `siteFile:write`, nor `siteFile:read` a `site:read`. */
function isSlipOf(name: string, known: string): boolean {
  const [parts, meant] = [name.split(':'), known.split(':')];
  return (
    parts.length === meant.length &&
    parts.every((part, i) => nearest(part, [meant[i] ?? '']) !== undefined) &&
    Math.abs(name.length - known.length) < 2
  );
}

/**
 * A scope by name. The specification leaves the list open, so any name goes, but for one that is so near to a known one
 * that it must be a slip.
 */
export const scope = z
  .string()
  .min(1, 'must not be empty')
  .superRefine((name, context) => {
    const meant = scopes.find((known) => known === name) ?? scopes.find((known) => isSlipOf(name, known));
    if (meant !== undefined && meant !== name)
      context.addIssue({ code: 'custom', message: `unknown value "${name}"; did you mean "${meant}"?` });
  })
  .meta({ examples: [...scopes] });

const fields = {
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('The HTTP method of this deployment.').optional(),
  scopes: z.array(scope).describe('The scopes that a key needs, all of them.').optional(),
};

/**
 * The `operations` of a target or a profile: what differs from the contract, by operationId; null where the deployment has
 * no such operation. Path parameters keep the names of the contract, so that they can still be filled in.
 * @param extra further fields that an operation has in this document
 */
export function operationOverrides<Extra extends z.core.$ZodLooseShape>(extra: Extra) {
  const override = (id: OperationId) =>
    closedObject({ ...fields, ...extra, path: pathLike(id).optional() })
      .nullable()
      .describe(`${operations[id].summary}. The contract has ${operations[id].method} ${operations[id].path}.`)
      .optional();
  const ids = Object.keys(operations) as OperationId[];
  // The keys of the map are the ids it is made of, which fromEntries cannot express.
  const shape = Object.fromEntries(ids.map((id) => [id, override(id)])) as Record<
    OperationId,
    ReturnType<typeof override>
  >;
  return closedObject(shape);
}

function pathLike(id: OperationId) {
  const wanted = [...operations[id].pathParameters].sort().map((name) => `{${name}}`);
  const parameters = (path: string) => (path.match(/\{[^}]*\}/g) ?? []).sort();
  const named = wanted.length === 0 ? 'no path parameters' : `the path parameters ${wanted.join(', ')}, each once`;
  return z
    .string()
    .regex(/^\/[^\s?#]*$/, 'must start with "/" and have neither a query nor spaces')
    .refine((path) => parameters(path).join() === wanted.join(), `must have ${named}, as ${operations[id].path} has`)
    .describe('The path after baseUrl, with the path parameters that the contract has there.');
}
