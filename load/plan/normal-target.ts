import type { Target, TargetInput } from '../../spec/files/target.ts';

/**
 * A target from JSON with the defaults that journeys read filled in, for k6, which cannot run the full check of
 * `spec/files/target.ts`. Placeholders may still be in it.
 * @throws Error that names what is missing
 */
export function normalTarget(value: unknown, where: string): Target {
  if (!isTargetInput(value)) {
    throw new Error(
      `${where}: needs baseUrl and tenants with keys; check it with "partnerkit load run", which reads YAML too`,
    );
  }
  return {
    ...value,
    baseUrl: value.baseUrl.replace(/\/+$/, ''),
    operations: Object.fromEntries(
      Object.entries(value.operations ?? {}).filter(([, override]) => override !== undefined),
    ) as Target['operations'],
    clockSkewSeconds: value.clockSkewSeconds ?? 5,
    settleMilliseconds: value.settleMilliseconds ?? 1_000,
    headers: value.headers ?? {},
    // A load run calls no hooks.
    hooks: {},
    upload: {
      contentType: value.upload?.contentType ?? 'text/plain',
      headers: value.upload?.headers ?? {},
      registration: value.upload?.registration ?? {},
    },
    tenants: value.tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => ({
        ...key,
        scopes: key.scopes ?? [],
        revoked: key.revoked ?? false,
        rateLimit: { perSecond: key.rateLimit?.perSecond ?? 10, burst: key.rateLimit?.burst ?? 20 },
      })),
    })),
  };
}

function isTargetInput(value: unknown): value is TargetInput {
  if (typeof value !== 'object' || value === null || !('baseUrl' in value) || !('tenants' in value)) return false;
  const { baseUrl, tenants } = value;
  return (
    typeof baseUrl === 'string' &&
    Array.isArray(tenants) &&
    tenants.length > 0 &&
    tenants.every(
      (tenant: unknown) =>
        typeof tenant === 'object' && tenant !== null && 'keys' in tenant && Array.isArray(tenant.keys),
    )
  );
}
