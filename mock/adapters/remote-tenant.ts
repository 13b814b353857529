import type { ClonedTenant } from '../store/tenancy.ts';

/** A tenant of a mock that runs elsewhere: all that a test needs to talk to it, and to nobody else's. */
export interface PartnerTenant {
  /** The address of the mock, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly name: string;
  /** The secret of the key `full`, which has every scope. */
  readonly apiKey: string;
  /** Secrets by the names that the keys have in the fixture. */
  readonly keys: Readonly<Record<string, string>>;
  /** The id that stands here for an id of the fixture; an id that stands for none, such as a legacy site's, is itself. */
  id(original: string): string;
}

export interface TenantOptions {
  /** The tenant to copy; acme by default. */
  readonly from?: string;
}

/**
 * Makes a tenant through the control API of a mock, and removes it at the end of the scope.
 * @param url the address of the mock
 * @throws Error with what the mock answered, where it makes none
 */
export async function remoteTenant(
  url: string,
  { from = 'acme' }: TenantOptions = {},
): Promise<PartnerTenant & AsyncDisposable> {
  const reply = await fetch(`${url}/_mock/tenants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from }),
  });
  if (reply.status !== 201) {
    throw new Error(`${url}/_mock/tenants: no copy of ${from}: ${reply.status} ${await reply.text()}`);
  }
  const tenant: ClonedTenant = await reply.json();
  const keys = Object.fromEntries(Object.entries(tenant.keys).map(([name, { secret }]) => [name, secret]));
  return {
    url,
    name: tenant.name,
    apiKey: keys.full ?? '',
    keys,
    id: (original) => tenant.ids[original] ?? original,
    async [Symbol.asyncDispose]() {
      await fetch(`${url}/_mock/tenants/${tenant.name}`, { method: 'DELETE' });
    },
  };
}
