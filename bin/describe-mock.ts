import type { Mock, TenantSeed } from '../mock/index.ts';
import { scopes as allScopes } from '../spec/operations.ts';

/** What `partnerkit mock` prints when it listens: the address, the tenants with their keys, a curl line that works as it stands. */
export function describeMock(
  url: string,
  seeds: readonly TenantSeed[],
  mock: Mock,
  { quiet, json }: { quiet?: boolean; json?: boolean },
): string {
  const tenants = seeds.map(({ tenant, keys }) => ({ tenant, keys: keys.map((key) => keyRow(key, tenant, mock)) }));
  if (json) return `${JSON.stringify({ event: 'listening', url, ...(!quiet && { tenants }) })}\n`;
  if (quiet) return `${url}\n`;

  const rows = tenants.flatMap(({ tenant, keys }) =>
    keys.map((key) => [tenant, key.name, key.secret, key.revoked ? 'REVOKED' : key.limit, describeScopes(key.scopes)]),
  );
  const widest = tenants.flatMap(({ keys }) => keys).sort((a, b) => b.scopes.length - a.scopes.length)[0];
  return [
    `partnerkit mock of the partner API: ${url}`,
    '',
    ...table(['tenant', 'key', 'secret', 'limit', 'scopes'], rows),
    '',
    ...(widest === undefined ? [] : ['Try:', `  curl -s -H 'x-api-key: ${widest.secret}' ${url}/v1/labels`, '']),
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

function keyRow({ name, secret, scopes, revoked = false }: TenantSeed['keys'][number], tenant: string, mock: Mock) {
  const key = mock.keys.list(tenant).find((candidate) => candidate.name === name);
  const limit = key && mock.keys.limitOf(key);
  return {
    name,
    secret,
    scopes,
    revoked,
    limit:
      limit === undefined || limit.burst === Number.POSITIVE_INFINITY
        ? 'none'
        : `${limit.perSecond}/s, ${limit.burst} at once`,
  };
}

const describeScopes = (scopes: readonly string[]) =>
  scopes.length === allScopes.length ? 'all' : scopes.length === 0 ? 'none' : scopes.join(' ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
