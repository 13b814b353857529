import type { OperationId } from '../../spec/operations.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';

/** The mutation that asks for a path below that of an operation, where nothing is. */
export const nothingThere = 'a path below';

/** What a reply says, without the words of its request. */
const said = ({ status, body, failure, params }: Exchange) =>
  Object.values(params).reduce(
    (text, id) => text.replaceAll(id, ''),
    `${status} ${status === null ? failure : body?.slice(0, 200)}`,
  );

/**
 * Whether the deployment has the operation where the target file says: its address is documented, it has succeeded, or it answers otherwise than
 * a path where nothing is. Else what is refused there may be refused by a router.
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
    if (id !== undefined && own.length > 0 && own.every((one) => said(one) !== said(nothing))) answering.add(id);
  }
  return (operation) => {
    const deployed = deployment.operation(operation);
    if (deployed === undefined) return false;
    return deployed.provenance.address === 'documented' || served.has(operation) || answering.has(operation);
  };
}
