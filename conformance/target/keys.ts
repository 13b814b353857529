import type { TargetKey, TargetTenant } from '../../spec/files/target.ts';
import { type OperationId, operations, type Scope } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { perObject } from '../per-object.ts';
import type { Deployment } from './deployment.ts';

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
