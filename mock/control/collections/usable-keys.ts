import type { Mock } from '../../create-mock.ts';

/** Secrets of a tenant's keys that may be shown, for they are the fakes of a fixture file. Empty where there is none. */
export function usableKeys(mock: Mock, tenant: string) {
  const usable = mock.keysOf(tenant).filter((key) => !key.revoked && mock.documentedSecretOf(key) !== undefined);
  const [widest] = usable.toSorted((a, b) => b.scopes.size - a.scopes.size);
  const limited = usable.find(({ name }) => name === 'limits') ?? widest;
  const secretOf = (key = widest) => (key && mock.documentedSecretOf(key)) ?? '';
  return {
    /** The key with the most scopes. */
    widest: secretOf(widest),
    /** A key that no other request needs, where the tenant has such a key. */
    limited: secretOf(limited),
    /** How many requests at once the limited key has. */
    burst: limited === undefined ? Number.POSITIVE_INFINITY : mock.keys.limitOf(limited).burst,
  };
}
