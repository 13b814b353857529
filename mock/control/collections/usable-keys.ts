import type { Mock } from '../../create-mock.ts';

/** Secrets of a tenant that may be shown, because a fixture file documents them. Empty if there is none. */
export function usableKeys(mock: Mock, tenant: string) {
  const usable = mock.keys
    .list(tenant)
    .filter((key) => !key.revoked && mock.keys.documentedSecretOf(key) !== undefined);
  const [widest] = usable.toSorted((a, b) => b.scopes.size - a.scopes.size);
  const limited = usable.find(({ name }) => name === 'limits') ?? widest;
  const secretOf = (key = widest) => (key && mock.keys.documentedSecretOf(key)) ?? '';
  return {
    /** The key with the most scopes. */
    widest: secretOf(widest),
    /** The key `limits`, which no other request uses. If the tenant has none, the key with the most scopes. */
    limited: secretOf(limited),
    /** How many requests at once the limit of that key allows. */
    burst: limited === undefined ? Number.POSITIVE_INFINITY : mock.keys.limitOf(limited).burst,
  };
}
