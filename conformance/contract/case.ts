import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { uuid } from '../../spec/text/uuid.ts';
import type { Exchange } from '../history/exchange.ts';
import { perObject } from '../per-object.ts';
import { type Deployment, keyNamed, lacksScope, namedScopes, scopeRules } from '../target/deployment.ts';
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

/** The right statuses, such as 403; `any` 4xx where none is named; `odd`: any 4xx, also of what stands in front of the service. */
type Statuses = readonly number[] | 'any' | 'odd';

/** A reason why a request must or may be refused. */
interface Reason {
  readonly id: string;
  /** The rule that demands the refusal; null where the specification leaves it open. */
  readonly rule: RuleId | null;
  readonly statuses: Statuses;
  /** The rule about the status, where it is another one. */
  readonly statusRule?: RuleId | undefined;
}

const demandOf = ({ mutation }: Case) =>
  typeof mutation?.means === 'object' && 'rule' in mutation.means ? mutation.means : null;

/** Whether anything in front of the service may answer in words of its own. */
export const isOdd = (asked: Case): boolean =>
  asked.hasOddKey || asked.mutation?.means === 'open' || typeof demandOf(asked)?.statuses === 'string';

/** Whether no usable reply is as right as a refusal: where a rule demands no more than that it does not succeed. */
export function mayBeLost(asked: Case, status: number | null): boolean {
  const statuses = demandOf(asked)?.statuses;
  if (statuses === 'no success') return true;
  return status === null && (statuses === 'any' || asked.mutation?.means === 'open');
}

/** Whether somebody without a valid key is kept away, as by a firewall that has seen many refusals. It opens no door, and shows no refusal. */
export const isKeptAway = ({ caller }: Case, status: number | null): boolean =>
  caller !== 'valid' && (status === null || status === 429 || status === 503);

/** The statuses that a mutation permits beside a success; null where it permits none. */
export const toleranceOf = ({ mutation }: Case): readonly number[] | null =>
  typeof mutation?.means === 'object' && 'may' in mutation.means ? mutation.means.may : null;

type Row = readonly [applies: boolean, id: string, rule: RuleId | null, statuses?: Statuses, statusRule?: RuleId];

/**
 * The contract as a table: why a request must or may be refused, and with which statuses. In which order a deployment checks key, scope, record
 * and body is open, so the status of any reason that applies is right. A request to which none applies must succeed.
 */
function table(asked: Case): readonly Row[] {
  const { operation, caller, lacks, owner, label, mutation, isApply, mayBeOwn } = asked;
  const isStart = operation === 'startSiteFileUpload';
  const ofKey = asked.hasOddKey ? 'odd' : [403];
  const isForeign = owner === 'theirs' && !mayBeOwn;
  const perhapsOwn = owner === 'theirs' && mayBeOwn;
  const stays = asked.isRead ? 'isolation/reads-stay-in-tenant' : 'isolation/writes-stay-in-tenant';
  const demand = demandOf(asked);
  const tolerance = toleranceOf(asked);
  return [
    [caller === 'none', 'key: none', 'auth/no-key-is-403', ofKey],
    [caller === 'unknown', 'key: unknown', 'auth/unknown-key-is-403', ofKey],
    [caller === 'revoked', 'key: revoked', 'auth/revoked-key-is-403', ofKey],
    [caller === 'bearer', 'key: bearer', 'auth/bearer-is-not-supported', ofKey],
    [caller === 'elsewhere', 'key: elsewhere', 'auth/header-is-required', ofKey],
    [caller === 'other-case', 'key: in the other letter case', null],
    [
      lacks === 'named',
      'scope: one that the specification names',
      scopeRules[operation] ?? null,
      [403],
      'scopes/missing-scope-is-403',
    ],
    [lacks === 'assumed', 'scope: one that we assume', null, [403]],
    [isForeign && !isStart, "record: another tenant's", stays],
    [isForeign && isStart, "site: another tenant's", 'upload/foreign-site-is-404', [404]],
    [perhapsOwn, 'record: an id that both tenants may have', null],
    [owner === 'nobody' && isStart, 'site: does not exist', 'upload/unknown-site-is-404', [404]],
    [owner === 'nobody' && !isStart, 'record: does not exist', null],
    [owner === 'malformed', 'record: an id of another form', null],
    [label === 'private', 'label: private', isApply ? 'labels/private-cannot-be-applied' : null],
    // On a site of its own, it may be a label of its own.
    [label === 'foreign' && !perhapsOwn, "label: another tenant's", isApply ? 'isolation/writes-stay-in-tenant' : null],
    [label === 'unknown' || label === 'malformed', 'label: does not exist', null],
    [demand !== null, 'mutation: must be refused', demand?.rule ?? null, refusals(demand?.statuses)],
    [tolerance !== null, 'mutation: may be refused so', null, tolerance ?? []],
    [mutation?.means === 'open', 'mutation: what it means is open', null],
  ];
}

const refusals = (statuses: readonly number[] | string = []): Statuses =>
  typeof statuses === 'string' ? 'odd' : statuses;

export const reasonsOf = perObject((asked: Case): readonly Reason[] =>
  table(asked).flatMap(([applies, id, rule, statuses = 'any', statusRule]) =>
    applies ? [{ id, rule, statuses, statusRule }] : [],
  ),
);

/** Whether this status is right for the reason. A redirect, as to an id in other letters, is no success. */
export const allows = ({ statuses }: Reason, status: number): boolean =>
  typeof statuses === 'string' ? status >= 300 && status < 500 : statuses.includes(status);

/** The reasons that a rule demands. */
export const demandedOf = (asked: Case) =>
  reasonsOf(asked).flatMap(({ rule, ...reason }) => (rule === null ? [] : [{ ...reason, rule }]));
