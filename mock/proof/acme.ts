/** For tests: the names under which the packaged tenants (`fixtures/acme.yaml`, `fixtures/globex.yaml`) are known. */
export const acme = {
  full: 'acmefull-fake-secret-0000000000000001',
  none: 'acmenone-fake-secret-0000000000000002',
  revoked: 'acmerevk-fake-secret-0000000000000003',
  limits: 'acmelimt-fake-secret-0000000000000004',
  open: 'c0000001-0000-4000-8000-000000000001',
  closed: 'c0000002-0000-4000-8000-000000000002',
  site: 'ovaid-517e0001-0000-4000-8000-000000000001',
  legacySite: '10042',
  client: 'ovcid-c11e0001-0000-4000-8000-000000000001',
  vip: '1abe1001-0000-4000-8000-000000000001',
  gateCode: '1abe1007-0000-4000-8000-000000000007',
  privateLabel: '1abe9001-0000-4000-8000-000000000901',
} as const;

export const globex = {
  full: 'globfull-fake-secret-0000000000000101',
  open: 'c0000001-0000-4000-8000-000000000101',
  site: 'ovaid-517e0001-0000-4000-8000-000000000101',
  client: 'ovcid-c11e0001-0000-4000-8000-000000000101',
} as const;

/** What acme has for the parameters of a path of the contract. */
export function acmeParameters(path: string): Record<string, string> {
  const id = path.startsWith('/v1/conversation/')
    ? acme.open
    : path.startsWith('/v1/client/')
      ? acme.client
      : acme.site;
  const records: Record<string, string> = { id, labelId: acme.vip, clientId: acme.client, siteId: acme.site };
  return Object.fromEntries(Object.entries(records).filter(([name]) => path.includes(`{${name}}`)));
}
