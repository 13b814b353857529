import { yamlText } from '../../spec/text/yaml-text.ts';
import { defaultSeeds } from './generated/tenants.ts';
import type { KeySeed } from './schema.ts';

const heading = `# A tenant of the mock, for partnerkit mock --fixtures. Kinds of records, and fields that the contract does not require,
# may be left out. Records refer to labels by name. Each client of a site is a link, with labels of its own. Private labels
# are in no reply. The secrets are invented and work only with this mock: do not use real ones.
`;

/** A fixture file to start from: the records of the packaged globex, which has a few of each kind, with a key for each purpose. */
export function tenantTemplate(tenant: string): string {
  const globex = defaultSeeds.find((seed) => seed.tenant === 'globex');
  const secret = (name: string) => `${tenant}-${name}-fake-secret`;
  const keys = (globex?.keys ?? []).map((key): KeySeed => ({ ...key, secret: secret(key.name) }));
  const { scopes = [] } = keys.at(-1) ?? {};
  keys.push({ name: 'fast', secret: secret('fast'), scopes: [...scopes], rateLimit: { perSecond: 50, burst: 100 } });
  keys.push({ name: 'revoked', secret: secret('revoked'), scopes: [...scopes], revoked: true });
  return heading + yamlText({ ...globex, tenant, description: 'A tenant of your own', keys });
}
