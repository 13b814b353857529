import type { TargetKey, TargetTenant } from '../../spec/files/target.ts';
import type { OperationId, Scope } from '../../spec/operations.ts';
import { perObject } from '../per-object.ts';
import type { Deployment } from './deployment.ts';

/** What a key must have. */
interface KeyNeed {
  /** The tenant of the key: the tenant under test by default. */
  readonly of?: 'stranger' | undefined;
  /** Scopes that the key must carry. */
  readonly scopes?: readonly Scope[];
  /** A scope that the key must not carry, nor any scope that might imply it. */
  readonly lacks?: Scope;
  /** Whether the key must be a revoked one: false by default. */
  readonly revoked?: true;
  /** A key that is reserved for measurements of the limiter. */
  readonly use?: 'limits';
}

/** A key of the target file with the tenant it belongs to. */
export interface KeyOfTenant extends TargetKey {
  readonly tenant: string;
}

/**
 * The public reference says that a parent resource's scope covers its children's: a key with `site:write` may be able to
 * write site files, so it cannot show that `siteFile:write` is needed.
 */
const mayImply: Partial<Record<Scope, readonly Scope[]>> = { 'siteFile:write': ['site:write'] };

/** Whether the key carries all of these scopes. */
export const carries = (key: Pick<TargetKey, 'scopes'>, scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => key.scopes.includes(scope));

/** Whether the key carries neither the scope nor a scope that might imply it. */
export const lacksScope = ({ scopes }: Pick<TargetKey, 'scopes'>, scope: Scope): boolean =>
  ![scope, ...(mayImply[scope] ?? [])].some((one) => scopes.includes(one));

/** The fitting key with the most scopes, or what the target file lacks, in words. With `lacks`, such a key differs from a full key the least. */
export function keyFor(
  deployment: Deployment,
  need: KeyNeed,
): { readonly key: KeyOfTenant } | { readonly missing: string } {
  const index = need.of === 'stranger' ? 1 : 0;
  const tenant = index === 1 ? deployment.stranger : deployment.tenant;
  const fitting = (tenant?.keys ?? []).filter(
    (key) =>
      (key.revoked ?? false) === (need.revoked ?? false) &&
      key.use === need.use &&
      carries(key, need.scopes ?? []) &&
      (need.lacks === undefined || lacksScope(key, need.lacks)),
  );
  const [key] = fitting.sort((a, b) => b.scopes.length - a.scopes.length);
  if (tenant === undefined || key === undefined) return { missing: `tenants[${index}].keys: ${describeNeed(need)}` };
  return { key: { ...key, tenant: tenant.name } };
}

/** The keys of a tenant that are neither revoked nor reserved. */
export const keysOf = ({ name, keys }: TargetTenant): KeyOfTenant[] =>
  keys.filter(({ revoked, use }) => !revoked && use === undefined).map((key) => ({ ...key, tenant: name }));

/** The keys with these scopes. Keys with few other scopes come first, so that requests spread over keys. */
export const keysWith = (tenant: TargetTenant, scopes: readonly Scope[]): KeyOfTenant[] =>
  keysOf(tenant)
    .filter((key) => carries(key, scopes))
    .sort((a, b) => a.scopes.length - b.scopes.length);

/** The keys that may send an operation. @param tenant the tenant under test by default */
export const keysFor = (deployment: Deployment, id: OperationId, tenant = deployment.tenant): KeyOfTenant[] =>
  keysWith(tenant, deployment.scopesOf(id));

export const revokedKeysOf = ({ name, keys }: TargetTenant): KeyOfTenant[] =>
  keys.filter(({ revoked }) => revoked).map((key) => ({ ...key, tenant: name }));

function describeNeed({ scopes = [], lacks, revoked, use }: KeyNeed): string {
  const parts = [
    revoked ? 'a revoked key' : use ? `a key with use: ${use}` : 'a key',
    ...(scopes.length > 0 ? [`with ${scopes.join(' and ')}`] : []),
    ...(lacks ? [`without ${[lacks, ...(mayImply[lacks] ?? [])].join(' and ')}`] : []),
  ];
  return parts.join(' ');
}

/** Every key of both tenants, with its place in the target file. */
export const keyPlacesOf = ({
  tenant,
  stranger,
}: Deployment): { readonly key: KeyOfTenant; readonly place: string }[] =>
  [tenant, stranger].flatMap((one, index) =>
    (one?.keys ?? []).map((key, position) => ({
      key: { ...key, tenant: one?.name ?? '' },
      place: `tenants[${index}].keys[${position}]`,
    })),
  );

/** Every key of a deployment by its name in exchanges, `tenant/key`; the first of those with the same name. */
const keysByName = perObject(
  ({ tenant, stranger }: Deployment) =>
    new Map(
      [tenant, stranger]
        .flatMap((one) => (one?.keys ?? []).map((key): [string, TargetKey] => [`${one?.name}/${key.name}`, key]))
        .toReversed(),
    ),
);

export const keyNamed = (deployment: Deployment, name: string | null): TargetKey | undefined =>
  name === null ? undefined : keysByName(deployment).get(name);
