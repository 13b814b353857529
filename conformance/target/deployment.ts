import type { Target, TargetKey, TargetTenant } from '../../spec/files/target.ts';
import { type Operation, type OperationId, operationIds, operations, type Scope } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';

/** An operation of this deployment: the contract with the changes of the target file. */
export interface DeployedOperation extends Pick<Operation, 'id' | 'method' | 'path' | 'scopes'> {
  /** Whether the specification or the target file states both method and path. */
  readonly isAddressStated: boolean;
}

export type Deployment = ReturnType<typeof deploymentOf>;

/**
 * The deployment under test: the target file, completed from the contract.
 * @param target has at least one tenant, as the schema of target files demands
 */
export function deploymentOf(target: Target) {
  const { clockSkewSeconds, headers, hooks, settleMilliseconds, upload } = target;
  const [tenant, stranger] = target.tenants;
  if (tenant === undefined) throw new RangeError('a target has at least one tenant');
  const deployed = new Map<OperationId | 'storage' | null, DeployedOperation>();
  for (const id of operationIds) {
    const override = target.operations?.[id];
    if (override === null) continue;
    const contract = operations[id];
    const { method, path } = contract.provenance;
    deployed.set(id, {
      id,
      method: override?.method ?? contract.method,
      path: override?.path ?? contract.path,
      scopes: override?.scopes ?? contract.scopes,
      isAddressStated:
        (override?.method !== undefined || method === 'documented') &&
        (override?.path !== undefined || path === 'documented'),
    });
  }
  return {
    /** Without a slash at the end. */
    baseUrl: target.baseUrl.replace(/\/+$/, ''),
    ...{ tenant, stranger, clockSkewSeconds, headers, hooks, settleMilliseconds },
    /** A content type that this deployment accepts for uploads. */
    uploadContentType: upload.contentType,
    /** Headers of every PUT to an upload URL, besides Content-Type. */
    uploadHeaders: upload.headers,
    /** Further fields that a registration needs. */
    registration: upload.registration,
    /** Undefined where the deployment has no such operation. */
    operation: (id: OperationId | 'storage' | null) => deployed.get(id),
    /** The scopes that these operations need together. */
    scopesOf: (...ids: readonly OperationId[]): readonly Scope[] => ids.flatMap((id) => deployed.get(id)?.scopes ?? []),
    operations: [...deployed.values()] as readonly DeployedOperation[],
  };
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

/** The key of the tenant under test with these scopes that has the most. @param use for measurements of the limiter */
export const keyFor = (
  { tenant: { name, keys } }: Deployment,
  scopes: readonly Scope[],
  use?: 'limits',
): KeyOfTenant | undefined =>
  keys
    .filter((one) => !one.revoked && one.use === use && carries(one, scopes))
    .sort((a, b) => b.scopes.length - a.scopes.length)
    .map((key) => ({ ...key, tenant: name }))[0];

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

/** The key with this name in exchanges, `tenant/key`. */
export const keyNamed = ({ tenant, stranger }: Deployment, name: string | null): TargetKey | undefined =>
  [tenant, stranger].flatMap((one) => one?.keys.find((key) => `${one.name}/${key.name}` === name) ?? [])[0];

/** The documented rule about the scopes of an operation, where there is one. */
export const scopeRules: Readonly<Partial<Record<OperationId, RuleId>>> = {
  getConversationContext: 'scopes/context-needs-conversation-read',
  startSiteFileUpload: 'scopes/upload-needs-sitefile-write',
  applyConversationLabel: 'scopes/conversation-labels-need-conversation-write',
  removeConversationLabel: 'scopes/conversation-labels-need-conversation-write',
  removeClientSiteLabel: 'scopes/link-remove-needs-both',
};

/** The documented scopes of an operation; null where no rule names any. */
export const namedScopes = (operation: OperationId | 'storage' | null): readonly Scope[] | null =>
  operation === null || operation === 'storage' || scopeRules[operation] === undefined
    ? null
    : operations[operation].scopes;
