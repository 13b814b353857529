import type { ListeningMock, Mock } from '../mock/index.ts';
import { scopes as allScopes } from '../spec/operations.ts';

/** The text that `partnerkit mock` prints at start: the address, the tenants with their keys, and a curl command that works. */
export function describeMock(
  { url, controlToken }: Pick<ListeningMock, 'url' | 'controlToken'>,
  mock: Mock,
  { quiet, json, controlToken: given }: { quiet?: boolean; json?: boolean; controlToken?: string },
): string {
  const tenants = [...mock.tenants.keys()].map((tenant) => ({
    tenant,
    keys: mock.keys.list(tenant).map((key) => keyRow(key, mock)),
  }));
  // A token from the command line is not printed, because the user knows it and output may end up in logs.
  const token = given === undefined ? { controlToken } : {};
  const { passesTo, wrong: { id: wrong } = {} } = mock;
  if (json)
    return `${JSON.stringify({ event: 'listening', url, wrong, passesTo, ...token, ...(!quiet && { tenants }) })}\n`;
  if (quiet) return `${url}\n`;

  const rows = tenants.flatMap(({ tenant, keys }) =>
    keys.map((key) => [tenant, key.name, key.secret, key.revoked ? 'REVOKED' : key.limit, describeScopes(key.scopes)]),
  );
  const usable = tenants.flatMap(({ keys }) => keys).filter(({ secret, revoked }) => !secret.endsWith('…') && !revoked);
  const widest = usable.sort((a, b) => b.scopes.length - a.scopes.length)[0];
  return [
    `partnerkit mock of the partner API: ${url}`,
    ...(mock.wrong === undefined ? [] : ['', wrongLine(mock.wrong)]),
    ...(mock.passesTo === undefined
      ? []
      : ['', `Keys, paths and ids that the mock does not know go to ${mock.passesTo}, with the key of the client.`]),
    '',
    ...table(['tenant', 'key', 'secret', 'limit', 'scopes'], rows),
    '',
    ...(widest === undefined ? [] : ['Try:', `  curl -s -H 'x-api-key: ${widest.secret}' ${url}/v1/labels`, '']),
    `Console: ${url}/_mock`,
    ...(controlToken === null
      ? []
      : [`Control API: ${url}/_mock with "Authorization: Bearer ${given === undefined ? controlToken : '<token>'}"`]),
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

function keyRow(key: ReturnType<Mock['keys']['find']>, mock: Mock) {
  const limit = mock.keys.limitOf(key);
  return {
    name: key.name,
    secret: mock.keys.documentedSecretOf(key) ?? `${key.prefix}…`,
    scopes: [...key.scopes],
    revoked: key.revoked,
    limit: Number.isFinite(limit.burst) ? `${limit.perSecond}/s, ${limit.burst} at once` : 'none',
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

/** Which rule the mock breaks on purpose, how, and how often. */
const wrongLine = ({ id, does, rule, chance = 1, seed }: NonNullable<Mock['wrong']>) =>
  rule === undefined
    ? `Right in an unusual way: ${does} (${id}).`
    : `Wrong on purpose: ${does} (${id}), which breaks ${rule}${chance < 1 ? `, for a share of ${chance} of the requests (seed ${seed})` : ''}.`;
