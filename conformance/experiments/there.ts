import type { OperationId } from '../../spec/operations.ts';
import { isUnavailable } from '../contract/judge.ts';
import { belowId } from '../contract/request.ts';
import { type Exchange, isObject, jsonOf, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';

/** An error in the documented form, without paths and ids; empty for any other body. */
function said(reply: Exchange): string {
  const json = jsonOf(reply);
  const { code, message } = isObject(json) && isObject(json.error) ? json.error : {};
  if (typeof code !== 'string' || typeof message !== 'string') return '';
  return `${code} ${message.replace(/\/\S*|[\w-]*\d[\w-]*/g, '')}`;
}

/** What answers as where nothing is, or knows the path with other methods only, may be a router. */
export const isOwn = (reply: Exchange, nothing: Exchange) =>
  reply.status !== 405 && (reply.status !== nothing.status || said(reply) !== said(nothing));

/**
 * Whether the deployment has the operation where the target file says: its address is documented, or it has answered. Else what is refused there
 * may be refused by a router.
 */
export function isThere(
  operation: OperationId,
  deployment: Deployment,
  answering: ReadonlySet<string | null>,
): boolean {
  const deployed = deployment.operation(operation);
  return deployed !== undefined && (deployed.isAddressStated || answering.has(operation));
}

/** Operations that have succeeded, or whose answers are not those of a router. */
export function answeringIn(exchanges: readonly Exchange[]): ReadonlySet<string | null> {
  const answering = new Set<string | null>(exchanges.filter(succeeded).map(({ operation }) => operation));
  for (const nothing of exchanges.filter(({ facts }) => facts?.mutation?.id === belowId)) {
    const id = nothing.facts?.operation;
    const own = exchanges.filter(
      (one) => one.operation === id && one.key === nothing.key && one.facts?.mutation === null,
    );
    // What is not available once says nothing.
    const usable = own.filter((one) => !isUnavailable(one));
    const isAnswering = usable.length > 0 ? usable.every((one) => isOwn(one, nothing)) : own.length > 1;
    if (id !== undefined && isAnswering) answering.add(id);
  }
  return answering;
}
