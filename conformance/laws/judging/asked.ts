import type { TargetKey, TargetTenant } from '../../../spec/files/target.ts';
import { type OperationId, operations, type Scope } from '../../../spec/operations.ts';
import { plainId } from '../../../spec/text/other-case.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { withMadeKeys } from '../../hooks/made-keys.ts';
import { perObject } from '../../per-object.ts';
import { type Deployment, deploymentOf } from '../../target/deployment.ts';
import { type LabelWrite, labelWriteOf } from '../../target/holder.ts';
import { lacksScope } from '../../target/keys.ts';
import { privatesOf, sparesOf, tenantsOf } from '../../target/records.ts';

/** The deployment of the target file, with the keys that the run made. */
export function deploymentIn({ known, hooks }: History): Deployment {
  const cached = deployments.get(known);
  if (cached?.calls === hooks.length) return cached.deployment;
  const deployment = deploymentOf(withMadeKeys(known.target, hooks));
  deployments.set(known, { calls: hooks.length, deployment });
  return deployment;
}

/** Cached by the header of the history. Laws compare tenants by identity, and a running run takes several histories. */
const deployments = new WeakMap<History['known'], { readonly calls: number; readonly deployment: Deployment }>();

/** A record of the key's own tenant, of the other tenant, of no tenant, or no id at all. */
type RecordClass = 'ours' | 'theirs' | 'unknown' | 'malformed';

/** The label in a path. `listed-or-unknown`: any other UUID. */
type LabelClass = 'spare' | 'private' | 'their-private' | 'listed-or-unknown' | 'malformed';

/** What an exchange asked for, according to the target file. */
export interface Asked {
  /** The tenant of the key, however the key was sent; undefined where none was sent. */
  readonly tenant: TargetTenant | undefined;
  readonly other: TargetTenant | undefined;
  readonly targetKey: TargetKey | undefined;
  /** Whether the key must authenticate by the contract, or did in other letter case, which the contract leaves open. */
  readonly authenticates: boolean;
  /** Scopes that the operation needs and the key lacks. */
  readonly lacks: readonly Scope[];
  /** Whether the key lacks one of them, and every scope that might imply that one. */
  readonly surelyLacks: boolean;
  /** Null where the operation names no record. */
  readonly record: RecordClass | null;
  /** Null where the operation names no label. */
  readonly label: LabelClass | null;
  readonly write: LabelWrite | null;
  /** Whether key, scopes, records and form of the request are in order. The label may still be unknown. */
  readonly lawful: boolean;
}

const asks = new WeakMap<Exchange, Asked>();

export function askedBy(exchange: Exchange, history: History): Asked {
  const asked = asks.get(exchange) ?? classify(exchange, deploymentIn(history));
  asks.set(exchange, asked);
  return asked;
}

/** The keys of both tenants, the first of those with the same name. */
const sendersOf = perObject((deployment: Deployment) => {
  const all = tenantsOf(deployment).flatMap((tenant) =>
    tenant.keys.map((key): [string, { tenant: TargetTenant; key: TargetKey }] => [
      `${tenant.name}/${key.name}`,
      { tenant, key },
    ]),
  );
  return new Map(all.toReversed());
});

function classify(exchange: Exchange, deployment: Deployment): Asked {
  const { operation, params, credential, key, twist } = exchange;
  const tenants = tenantsOf(deployment);
  const sender = key === null ? undefined : sendersOf(deployment).get(key);
  const isRecognised = credential === 'key' || (credential === 'other-case' && succeeded(exchange));
  const authenticates = sender !== undefined && isRecognised && !sender.key.revoked;
  const tenant = sender?.tenant;
  const other = tenants.find((one) => one !== tenant);
  const deployed = deployment.operation(operation);
  const lacks = (deployed?.scopes ?? []).filter((scope) => !(sender?.key.scopes ?? []).includes(scope));
  const record = tenant === undefined ? null : recordClass(operation, params, tenant, other);
  const write = labelWriteOf(operation, params);
  const label = write === null || tenant === undefined ? null : labelClass(write.label, tenant, other);
  return {
    tenant,
    other,
    targetKey: sender?.key,
    authenticates,
    lacks,
    surelyLacks: sender !== undefined && lacks.some((scope) => lacksScope(sender.key, scope)),
    record,
    label,
    write,
    lawful:
      authenticates &&
      twist === null &&
      lacks.length === 0 &&
      operation !== null &&
      (record === null || record === 'ours') &&
      (label === null || label === 'spare' || label === 'listed-or-unknown'),
  };
}

/** The ids of a tenant by the kind of record. */
const idsOf = ({ conversations, sites, clientSite, otherClientSite }: TargetTenant) => ({
  conversation: [conversations?.open, conversations?.closed],
  site: [sites?.current, sites?.legacy, clientSite?.site, otherClientSite?.site],
  client: [clientSite?.client, otherClientSite?.client],
});

/** Which kind of record each path parameter names. */
function kindsOf(operation: OperationId): Readonly<Record<string, 'conversation' | 'site' | 'client'>> {
  const { path } = operations[operation];
  if (path.startsWith('/v1/conversation/')) return { id: 'conversation' };
  if (path.startsWith('/v1/client/')) return { id: 'client', clientId: 'client', siteId: 'site' };
  return path.startsWith('/v1/site/') ? { id: 'site' } : {};
}

function recordClass(
  operation: Exchange['operation'],
  params: Exchange['params'],
  tenant: TargetTenant,
  other: TargetTenant | undefined,
): RecordClass | null {
  if (operation === null || operation === 'storage') return null;
  const classes = Object.entries(kindsOf(operation)).flatMap(([name, kind]): RecordClass[] => {
    const value = params[name];
    if (value === undefined) return [];
    if (idsOf(tenant)[kind].includes(value)) return ['ours'];
    // Case and leading zeros are ignored here. A deployment may ignore them too, but must still refuse the ids of the other tenant.
    const named = (one: TargetTenant) =>
      idsOf(one)[kind].some((id) => id !== undefined && plainId(id) === plainId(value));
    if (other !== undefined && named(other) && !named(tenant)) return ['theirs'];
    if (kind === 'conversation' && !uuid.test(value)) return ['malformed'];
    if (kind === 'client' && !value.startsWith('ovcid-')) return ['malformed'];
    return [value === '' ? 'malformed' : 'unknown'];
  });
  // A link is ours only if both parts are ours.
  return (['malformed', 'unknown', 'theirs', 'ours'] as const).find((one) => classes.includes(one)) ?? null;
}

function labelClass(label: string, tenant: TargetTenant, other: TargetTenant | undefined): LabelClass {
  const isLabel = (id: string | undefined) => id?.toLowerCase() === label.toLowerCase();
  if (!uuid.test(label)) return 'malformed';
  if (sparesOf(tenant).some(({ id }) => isLabel(id))) return 'spare';
  if (privatesOf(tenant).some(({ id }) => isLabel(id))) return 'private';
  return other !== undefined && privatesOf(other).some(({ id }) => isLabel(id)) ? 'their-private' : 'listed-or-unknown';
}
