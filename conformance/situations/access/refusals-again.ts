import type { TargetTenant } from '../../../spec/files/target.ts';
import type { Ask } from '../../client/ask.ts';
import type { Deployment } from '../../target/deployment.ts';
import { carries, keysOf, keysWith, revokedKeysOf } from '../../target/keys.ts';
import { lawfulAsks } from '../asking/lawful.ts';

/**
 * Requests that must be refused: each operation without a key, with an unknown or a revoked one, and with keys that lack a scope, on one
 * record in turn, and on every record of one tenant with a key of the other.
 */
export function refusalsAgain(deployment: Deployment, newId: () => string): Ask[] {
  const { tenant, stranger, operations } = deployment;
  const [anyKey] = keysOf(tenant);
  const revoked = revokedKeysOf(tenant).map((key) => ({ key }));
  return operations.flatMap(({ id, scopes }, position): Ask[] => {
    const asksAbout = (owner: TargetTenant) => lawfulAsks(id, deployment, newId, owner).map(({ ask }) => ask);
    const own = asksAbout(tenant);
    const inTurn = (turn: number) => own.slice(turn % own.length).slice(0, 1);
    const unknown = anyKey && { key: anyKey, credential: 'unknown' as const };
    // The operations share the wrong keys: each is asked with all but one.
    const allWrong = [{ credential: 'none' as const }, ...(unknown ? [unknown] : []), ...revoked];
    const wrongKeys = allWrong.filter((_, turn) => turn !== position % allWrong.length || allWrong.length === 1);
    const lacking = keysWith(tenant, []).filter((key) => !carries(key, scopes));
    const foreign = (owner: TargetTenant, visitor: TargetTenant) =>
      asksAbout(owner)
        .filter(({ params }) => params !== undefined)
        .flatMap((ask, turn) => {
          const keys = keysWith(visitor, scopes);
          const key = keys[(position + turn) % Math.max(1, keys.length)];
          return key ? [{ ...ask, key }] : [];
        });
    return [
      ...wrongKeys.flatMap((wrongKey, turn) => inTurn(position + turn).map((ask) => ({ ...ask, ...wrongKey }))),
      ...[lacking[0], lacking[position % lacking.length]].flatMap((key, turn) =>
        key ? inTurn(position + turn).map((ask) => ({ ...ask, key })) : [],
      ),
      ...(stranger ? [...foreign(tenant, stranger), ...foreign(stranger, tenant)] : []),
    ];
  });
}
