import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Facts } from '../history/facts.ts';
import type { Deployment } from '../target/deployment.ts';
import { keyNamed, lacksScope } from '../target/keys.ts';
import { namedScopes } from '../target/named-scopes.ts';
import { tenantsOf } from '../target/records.ts';

/** An exchange with an operation of the API, and what was asked. */
export interface Case extends Facts {
  /** Whether it was asked at another path or with another method, where anything may answer. */
  readonly isElsewhere: boolean;
  readonly isRead: boolean;
  readonly isApply: boolean;
  /** Scopes that the key surely lacks: those that the specification names, or only those that we assume. */
  readonly lacks: 'named' | 'assumed' | 'none';
  /** Whether a front may take what is sent as a key for an attack or a mistake: no key has such characters, or is sent there. */
  readonly hasOddKey: boolean;
  /** Whether the other tenant may have a site with this id as well: only the newer ids are unique. */
  readonly mayBeOwn: boolean;
  /** The rule about the id of the site that the operation finds by it. */
  readonly siteRule: RuleId | null;
}

/** The rules about ids of sites. */
export const siteRules: readonly RuleId[] = ['ids/site-id', 'ids/legacy-site-id-works'];

const onSites: readonly OperationId[] = ['startSiteFileUpload', 'applySiteLabel', 'removeSiteLabel'];

function siteRuleOf(id: string | undefined, name: string | null, deployment: Deployment): Case['siteRule'] {
  const { current, legacy } = tenantsOf(deployment).find((one) => name?.startsWith(`${one.name}/`))?.sites ?? {};
  if (id === undefined) return null;
  return id === current ? 'ids/site-id' : id === legacy ? 'ids/legacy-site-id-works' : null;
}

/** Null for requests of which no facts are known, such as a PUT to an upload URL. */
export function caseOf(
  {
    operation: sentTo,
    facts,
    key,
    params,
    requestHeaders,
    credential,
  }: Pick<Exchange, 'operation' | 'facts' | 'key'> & Partial<Exchange>,
  deployment: Deployment,
): Case | null {
  if (facts === undefined) return null;
  const { operation } = facts;
  return {
    ...facts,
    isElsewhere: sentTo === null,
    isRead: deployment.operation(operation)?.method === 'GET',
    isApply: operation.startsWith('apply'),
    // A parameter or a cookie that nobody documented may be refused for itself.
    hasOddKey:
      credential === 'query' ||
      credential === 'cookie' ||
      (facts.caller === 'unknown' && !/^[\w$.~+/=:-]*$/.test(requestHeaders?.['x-api-key'] ?? '')),
    mayBeOwn: operation.includes('Site') && params?.id !== undefined && !/^ovaid-/i.test(params.id),
    siteRule: onSites.includes(operation) ? siteRuleOf(params?.id, key, deployment) : null,
    lacks: facts.caller === 'valid' ? lackedBy(key, operation, deployment) : 'none',
  };
}

function lackedBy(name: string | null, operation: OperationId, deployment: Deployment): Case['lacks'] {
  const key = keyNamed(deployment, name);
  if (key === undefined) return 'none';
  if (namedScopes(operation)?.some((scope) => lacksScope(key, scope))) return 'named';
  return deployment.scopesOf(operation).some((scope) => !key.scopes.includes(scope)) ? 'assumed' : 'none';
}
