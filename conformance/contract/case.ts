import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { uuid } from '../../spec/text/uuid.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { keyNamed, lacksScope, namedScopes } from '../target/keys.ts';
import { tenantsOf } from '../target/records.ts';

/** An exchange with an operation of the API, and what was asked. */
export type Case = NonNullable<ReturnType<typeof caseOf>>;

/** The rules about ids of sites. */
export const siteRules: readonly RuleId[] = ['ids/site-id', 'ids/legacy-site-id-works'];

const onSites: readonly OperationId[] = ['startSiteFileUpload', 'applySiteLabel', 'removeSiteLabel'];

function siteRuleOf(id: string | undefined, name: string | null, deployment: Deployment): RuleId | null {
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
) {
  if (facts === undefined) return null;
  const { operation } = facts;
  const ids = Object.entries(params ?? {}).flatMap(([name, id]) => (name === 'labelId' ? [] : [id]));
  return {
    ...facts,
    /** Whether it was asked at another path or with another method, where anything may answer. */
    isElsewhere: sentTo === null,
    isRead: deployment.operation(operation)?.method === 'GET',
    isApply: operation.startsWith('apply'),
    /**
     * Whether a front may take what is sent as a key for an attack or a mistake: no key has such characters. A parameter or a cookie that nobody
     * documented may be refused for itself.
     */
    hasOddKey:
      credential === 'query' ||
      credential === 'cookie' ||
      (facts.caller === 'unknown' && !/^[\w$.~+/=:-]*$/.test(requestHeaders?.['x-api-key'] ?? '')),
    /** Whether the other tenant may have a record with these ids as well: only UUIDs are unique. */
    mayBeOwn: ids.length > 0 && !ids.some((id) => uuid.test(id.replace(/^ov[ac]id-/i, ''))),
    /** The rule about the id of the site that the operation finds by it. */
    siteRule: onSites.includes(operation) ? siteRuleOf(params?.id, key, deployment) : null,
    /** Scopes that the key surely lacks: those that the specification names, or only those that we assume. */
    lacks: facts.caller === 'valid' ? lackedBy(key, operation, deployment) : 'none',
  };
}

function lackedBy(name: string | null, operation: OperationId, deployment: Deployment): 'named' | 'assumed' | 'none' {
  const key = keyNamed(deployment, name);
  if (key === undefined) return 'none';
  if (namedScopes(operation)?.some((scope) => lacksScope(key, scope))) return 'named';
  return deployment.scopesOf(operation).some((scope) => !key.scopes.includes(scope)) ? 'assumed' : 'none';
}
