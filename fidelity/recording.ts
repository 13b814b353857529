import { type Exchange, succeeded } from '../conformance/history/exchange.ts';
import type { History } from '../conformance/history/history.ts';
import type { Target, TargetTenant } from '../spec/files/target.ts';
import { operations } from '../spec/operations.ts';

/** Exchanges of a deployment in the order of sending, and what was known of it. In place of the secret of a key is a mark, such as `$ACME_FULL_KEY`. */
export interface Recording extends Pick<History, 'exchanges' | 'hooks'> {
  readonly target: Pick<Target, 'baseUrl' | 'tenants' | 'operations'>;
}

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((one) => b.has(one));

const bySending = (exchanges: readonly Exchange[]) => exchanges.toSorted((a, b) => a.sentAt - b.sentAt);

/** The history of a conformance run. */
export const recordingOf = ({ known: { target }, exchanges, hooks }: History): Recording => ({
  exchanges: bySending(exchanges),
  hooks,
  target,
});

/**
 * The traffic of a client, of whose keys only marks are known. Keys that were served the same records are of one tenant; a key that was
 * never served is none of the deployment.
 */
export function recordingOfTraffic(traffic: readonly Exchange[]): Recording {
  // A browser asks on its own account.
  const exchanges = traffic.filter(({ method }) => method !== 'OPTIONS');
  const tenants: (TargetTenant & { records: Set<string> })[] = [];
  const served = Map.groupBy(exchanges.filter(succeeded), ({ key }) => key ?? '');
  served.delete('');
  for (const [mark, own] of served) {
    const recordsOf = (some: readonly Exchange[]) => new Set(some.flatMap(({ params }) => Object.values(params)));
    const records = recordsOf(own);
    const refused = recordsOf(exchanges.filter(({ key, status }) => key === mark && status === 404));
    const known =
      tenants.find((tenant) => shared(tenant.records, records)) ??
      tenants.find((tenant) => !shared(tenant.records, refused));
    const tenant = known ?? { name: `recorded-${tenants.length + 1}`, keys: [], records: new Set<string>() };
    if (known === undefined) tenants.push(tenant);
    for (const record of records) tenant.records.add(record);
    // Who was not forbidden an operation has its scopes.
    const allowed = exchanges.filter(({ key, status }) => key === mark && ![null, 401, 403, 429].includes(status));
    const scopes = allowed.flatMap(({ operation }) =>
      operation === null || operation === 'storage' ? [] : operations[operation].scopes,
    );
    tenant.keys.push({
      ...{ name: `key-${tenant.keys.length + 1}`, secret: mark, scopes: [...new Set(scopes)] },
      ...{ rateLimit: { perSecond: 10, burst: 20 }, revoked: false },
    });
  }
  const names = new Map(tenants.flatMap(({ name, keys }) => keys.map((key) => [key.secret, `${name}/${key.name}`])));
  const { url = '' } = exchanges.find(({ operation }) => operation !== null && operation !== 'storage') ?? {};
  return {
    exchanges: bySending(exchanges).map((one) => ({ ...one, key: names.get(one.key ?? '') ?? null })),
    hooks: [],
    target: {
      tenants: tenants.length > 0 ? tenants : [{ name: 'recorded-1', keys: [] }],
      baseUrl: url.slice(0, Math.max(0, url.indexOf('/v1/'))),
      operations: {},
    },
  };
}

/** The name of a tenant in a fixture file. */
export const fixtureName = (tenant: string): string =>
  tenant
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+/, '') || 'recorded';

/** A secret for the mock in place of the one that a mark stands for, which no recording has. */
export const secretFor = (mark: string): string =>
  `recorded-${mark.replace(/[^A-Za-z0-9]/g, '-').toLowerCase()}-fake-secret`;

/** A text with secrets in place of their marks; `_CUT` is a secret without its last character. */
export const unredacted = (text: string, secrets: ReadonlyMap<string, string>): string =>
  text.replace(
    /\$[A-Z][A-Z0-9_]*/g,
    (mark) => secrets.get(mark) ?? secrets.get(mark.replace(/_CUT$/, ''))?.slice(0, -1) ?? mark,
  );
