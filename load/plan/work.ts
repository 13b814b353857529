import type { Target, TargetKey } from '../../spec/files/target.ts';
import { type OperationId, operations } from '../../spec/operations.ts';
import { fillPath } from '../../spec/routes.ts';
import type { LabelledRecord, PlannedRequest } from '../run-file.ts';
import type { KeyChoice, ScenarioPlan } from '../scenarios.ts';

interface Work {
  readonly keys: readonly TargetKey[];
  readonly labels?: {
    readonly records: readonly LabelledRecord[];
    readonly label: { readonly id: string; readonly name?: string | undefined };
  };
  readonly upload?: { readonly start: PlannedRequest; readonly register: PlannedRequest };
}

/**
 * The request of an operation as this deployment serves it.
 * @returns undefined if the deployment lacks the operation, the target file has no such record, or the key has not the scopes
 */
function requestOf(
  { operations: overrides, upload }: Pick<Target, 'operations' | 'upload'>,
  key: Pick<TargetKey, 'scopes'>,
  operationId: OperationId,
  params: Readonly<Record<string, string | undefined>>,
): PlannedRequest | undefined {
  const override = overrides[operationId];
  const { method, path, scopes } = { ...operations[operationId], ...override };
  const isAllowed = scopes.every((scope) => key.scopes.some((held) => held === scope));
  if (override === null || !isAllowed || Object.values(params).includes(undefined)) return undefined;
  const body = operationId === 'startSiteFileUpload' && JSON.stringify({ contentType: upload.contentType });
  return { operationId, method, path: fillPath(path, params as Record<string, string>), ...(body && { body }) };
}

/**
 * What a key may ask of a deployment without changing anything: reads, and the start of an upload, which stores nothing. Several,
 * because a limiter may count each path by itself, or reads alone. The first needs a key and nothing else.
 * @throws Error where the target has no operation that needs only a key
 */
export function probesOf(
  target: Pick<Target, 'operations' | 'tenants' | 'upload'>,
  key: TargetKey,
): readonly PlannedRequest[] {
  const { conversations, sites, clientSite } = target.tenants[0] ?? {};
  const probe = (operationId: OperationId, id: string | undefined) => requestOf(target, key, operationId, { id });
  const probes = [
    probe('listLabels', ''),
    probe('getHealth', ''),
    probe('getConversation', conversations?.open),
    probe('getConversationContext', conversations?.open),
    probe('getSite', sites?.current),
    probe('getClient', clientSite?.client),
    probe('startSiteFileUpload', sites?.current),
  ].filter((one) => one !== undefined);
  if (probes[0]?.operationId !== 'listLabels' && probes[0]?.operationId !== 'getHealth')
    throw new Error('the target has neither listLabels nor getHealth; one of them is needed');
  return probes;
}

/**
 * What the scenario labels works on: the records of the first tenant that one key may label. Of several keys the one that
 * reaches most records is taken.
 * @throws Error that says what the target lacks
 */
function labelWork(target: Target, names: readonly string[]): Work {
  const { spareLabel, spareLabels, conversations, sites, clientSite } = target.tenants[0] ?? {};
  const label = spareLabel ?? spareLabels?.[0];
  if (label === undefined) throw new Error('labels needs tenants[0].spareLabel: a public label that no record has');
  const places = [
    ['conversation', 'Conversation', { id: conversations?.open }],
    ['site', 'Site', { id: sites?.current }],
    ['client-site link', 'ClientSite', { clientId: clientSite?.client, siteId: clientSite?.site }],
  ] as const;
  const recordsOf = (key: TargetKey) =>
    places.flatMap(([name, kind, ids]): LabelledRecord[] => {
      const apply = requestOf(target, key, `apply${kind}Label`, { ...ids, labelId: label.id });
      const remove = requestOf(target, key, `remove${kind}Label`, { ...ids, labelId: label.id });
      return apply && remove ? [{ name, ids: ids as LabelledRecord['ids'], apply, remove }] : [];
    });
  const [best] = selectKeys(target, 'free', names)
    .map((key) => ({ keys: [key], labels: { label, records: recordsOf(key) } }))
    .sort((a, b) => b.labels.records.length - a.labels.records.length);
  if (best === undefined || best.labels.records.length === 0) {
    throw new Error(
      'labels needs a key that may label something: conversation:write and conversations.open, site:write and sites.current, or both client:write and site:write and clientSite',
    );
  }
  return best;
}

/**
 * What the scenario upload works on: the current site of the first tenant and a key that may upload to it.
 * @throws Error that says what the target lacks
 */
function uploadWork(target: Target, names: readonly string[]): Work {
  const id = target.tenants[0]?.sites?.current;
  if (id === undefined) throw new Error('upload needs tenants[0].sites.current');
  for (const operation of ['startSiteFileUpload', 'registerSiteFile'] as const)
    if (target.operations[operation] === null)
      throw new Error(`the target says that it has no ${operation}, so upload cannot run against it`);
  for (const key of selectKeys(target, 'free', names)) {
    const start = requestOf(target, key, 'startSiteFileUpload', { id });
    const register = requestOf(target, key, 'registerSiteFile', { id });
    if (start && register) return { keys: [key], upload: { start, register } };
  }
  throw new Error('upload needs a key with siteFile:write');
}

/**
 * The keys that are driven, and what else the scenario works on.
 * @throws Error that says what the target lacks
 */
export const workOf = (plan: ScenarioPlan, target: Target, names: readonly string[]): Work =>
  plan.kind === 'limit'
    ? { keys: selectKeys(target, plan.keys, names) }
    : (plan.name === 'labels' ? labelWork : uploadWork)(target, names);

/**
 * The keys that a scenario drives, in order, all of the first tenant; `free` ones are all that are not kept for limits.
 * @param names what the person asked for; empty leaves it to the target, where `use: limits` marks keys kept for this
 * @throws Error that says which key is missing and how to name one
 */
export function selectKeys(
  target: Pick<Target, 'tenants'>,
  choice: KeyChoice | 'free',
  names: readonly string[],
): readonly TargetKey[] {
  const tenant = target.tenants[0];
  const usable = (tenant?.keys ?? []).filter((key) => !key.revoked);
  if (usable.length === 0) throw new Error('the first tenant has no usable key; add one to the target');
  const usableNames = usable.map(({ name }) => name).join(', ');
  const named = names.map((name) => {
    const key = usable.find((candidate) => candidate.name === name);
    if (key !== undefined) return key;
    throw new Error(`${tenant?.name} has no usable key ${name}; it has ${usableNames}`);
  });
  if (new Set(named).size < named.length) throw new Error('the same key is named twice; give each key once');
  if (choice === 'free' && named.length === 0) return usable.filter(({ use }) => use !== 'limits');
  if (choice === 'all' || choice === 'free') return named.length > 0 ? named : usable;
  const wanted = choice === 'one' ? 1 : 2;
  if (named.length > wanted)
    throw new Error(
      `this scenario drives ${choice === 'one' ? 'one key; give --key once' : 'two keys; give --key twice'}`,
    );
  const forLimits = usable.filter(({ use }) => use === 'limits');
  if (named.length + forLimits.length === 0)
    throw new Error(`no key is marked "use: limits"; mark one, or give --key (one of ${usableNames})`);
  const chosen = [...new Set([...named, ...forLimits, ...usable])].slice(0, wanted);
  if (chosen.length === wanted) return chosen;
  throw new Error('this scenario needs a second key of the same tenant; add one to the target');
}
