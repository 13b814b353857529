import type { OperationId } from '../../spec/operations.ts';
import { isUnavailable } from '../contract/judge.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';

/** The mutation that asks for a path below that of an operation, where nothing is. */
export const nothingThere = 'a path below';

/** What answers as where nothing is, or knows the path with other methods only, may be a router; what is not available says nothing. */
const isOwn = (reply: Exchange, nothing: Exchange) =>
  !isUnavailable(reply) && reply.status !== 405 && reply.status !== nothing.status;

/**
 * Whether the deployment has the operation where the target file says: its address is documented, it has succeeded, or its answers are not those of a router. Else what is refused there may be refused by a router.
 */
export function operationsIn(
  exchanges: readonly Exchange[],
  deployment: Deployment,
): (operation: OperationId) => boolean {
  const served = new Set(exchanges.filter(succeeded).map(({ operation }) => operation));
  const answering = new Set<OperationId>();
  for (const nothing of exchanges.filter(({ facts }) => facts?.mutation?.id === nothingThere)) {
    const id = nothing.facts?.operation;
    const own = exchanges.filter(
      (one) => one.operation === id && one.key === nothing.key && one.facts?.mutation === null,
    );
    if (id !== undefined && own.length > 0 && own.every((one) => isOwn(one, nothing))) answering.add(id);
  }
  return (operation) => {
    const deployed = deployment.operation(operation);
    if (deployed === undefined) return false;
    return deployed.provenance.address === 'documented' || served.has(operation) || answering.has(operation);
  };
}
