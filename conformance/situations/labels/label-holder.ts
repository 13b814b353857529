import type { TargetTenant } from '../../../spec/files/target.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { Situation, Wanting } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../../target/holder.ts';
import { type KeyOfTenant, keysWith } from '../../target/keys.ts';
import {
  holdersOf,
  type KnownHolder,
  missingHolders,
  type NamedLabel,
  privatesOf,
  sparesOf,
  tenantOf,
} from '../../target/records.ts';
import { ifChanged } from '../asking/spellings.ts';

/** Writes and reads of one holder, for situations. */
export interface LabelScene {
  readonly holder: KnownHolder;
  readonly spare: NamedLabel;
  /** Another spare label, if there is one. */
  readonly second: NamedLabel | undefined;
  write(
    act: LabelAct,
    label: string,
    key?: KeyOfTenant | undefined,
    barrier?: Ask['barrier'] | undefined,
  ): Promise<Exchange>;
  /** Sends a request whose reply shows the set and which does not write the spare label; null where there is none. */
  show(key?: KeyOfTenant | undefined): Promise<Exchange | null>;
  /**
   * Waits until reads have settled, and sends a request whose reply shows the set, with this key if possible.
   * @param since an earlier reply: a read asks whether anything has changed since, if the reply had an ETag
   */
  read(key?: KeyOfTenant | undefined, since?: Exchange | null): Promise<Exchange | null>;
  /** Keys that may write this holder, those with the fewest scopes first. */
  readonly writers: readonly KeyOfTenant[];
  readonly readers: readonly KeyOfTenant[];
}

/** Milliseconds until a read must show a write: none where the target file says that writes settle at once. Timers may fire early. */
const restOf = ({ settleMilliseconds }: Deployment) => (settleMilliseconds === 0 ? 0 : settleMilliseconds + 50);

/**
 * Prepares a holder for writes.
 * @returns null where no key may write, where the removal of a label seems not to work, or where the holder carries the spare label already
 */
export async function labelScene(scene: Scene, record: KnownHolder): Promise<LabelScene | null> {
  const { deployment, send } = scene;
  const tenant = tenantOf(deployment, record);
  const [spare, second] = sparesOf(tenant);
  if (spare === undefined) return null;
  const { holder } = record;
  const operations = labelOperations[holder.kind];
  const write: LabelScene['write'] = (act, label, key, barrier) =>
    send({
      operation: operations[act],
      params: holderParams(holder, label),
      ...(key && { key }),
      ...(barrier && { barrier }),
    });
  const context = deployment.operation('getConversationContext');
  const readers = holder.kind === 'conversation' && context ? keysWith(tenant, context.scopes) : [];
  const writers = keysWith(tenant, deployment.scopesOf(operations.apply, operations.remove));
  if (writers.length === 0) return null;
  let last: { readonly act: LabelAct; readonly label: string } | undefined;
  let carried: string | undefined;
  const show = (key?: KeyOfTenant, since?: Exchange | null) => {
    const reader = readers.find((one) => one.name === key?.name) ?? readers[0];
    return showLabels(scene, { holder: record, reader, writer: key ?? writers[0], second, carried, since });
  };
  const prepared: LabelScene = {
    holder: record,
    spare,
    second,
    writers,
    readers,
    async write(act, label, key, barrier) {
      last = { act, label };
      const exchange = await write(act, label, key, barrier);
      carried = carriedIn(exchange, tenant) ?? carried;
      return exchange;
    },
    show,
    async read(key, since) {
      await scene.sleep(restOf(deployment));
      // If no other request shows the set, the last write is sent again.
      return (await show(key, since)) ?? (last === undefined ? null : write(last.act, last.label, key));
    },
  };
  return (await mayWrite(scene, record, prepared)) ? prepared : null;
}

interface Showable extends Pick<LabelScene, 'holder' | 'second'> {
  readonly reader: KeyOfTenant | undefined;
  readonly writer: KeyOfTenant | undefined;
  /** The id of another label that the holder carries. */
  readonly carried: string | undefined;
  readonly since?: Exchange | null | undefined;
}

/**
 * Sends a request whose reply shows the labels and which does not write the spare label: a read; or else the second spare label, or one that
 * the holder carries, is applied.
 */
export async function showLabels(
  { send, deployment }: Scene,
  { holder: { holder }, reader, writer, second, carried, since }: Showable,
): Promise<Exchange | null> {
  if (reader !== undefined) {
    const read = { operation: 'getConversationContext', params: holderParams(holder), key: reader } as const;
    return send({ ...read, ...ifChanged(since) });
  }
  const operation = labelOperations[holder.kind].apply;
  const label = second?.id ?? carried;
  if (writer === undefined || label === undefined || deployment.operation(operation) === undefined) return null;
  const params = holderParams(holder, label);
  return send({ operation, params, key: writer, ...(second === undefined && { carried: true }) });
}

/** The id of a label in a set of the documented form, without those that the target file names. */
export function carriedIn(reply: Exchange, tenant: TargetTenant): string | undefined {
  if (!succeeded(reply)) return undefined;
  const { labels } = objectIn(reply);
  const named = new Set([...sparesOf(tenant), ...privatesOf(tenant)].map(({ id }) => id.toLowerCase()));
  for (const label of Array.isArray(labels) ? labels : [])
    if (isObject(label) && typeof label.id === 'string' && !named.has(label.id.toLowerCase())) return label.id;
  return undefined;
}

/** Removals that were seen to work in this run, and whether the removal of a label that does not exist shows the set. */
const workingRemovals = new WeakMap<Deployment, Map<OperationId, boolean>>();

async function mayWrite(
  scene: Scene,
  { holder }: KnownHolder,
  { readers, spare, second, writers, write }: LabelScene,
): Promise<boolean> {
  const { deployment, send } = scene;
  const [key] = readers;
  if (key !== undefined) {
    const carriesSpare = async () =>
      shows(await send({ operation: 'getConversationContext', params: holderParams(holder), key }), [
        spare,
        ...(second ? [second] : []),
      ]);
    if (await carriesSpare()) {
      // The read may lag behind the end of the previous situation.
      await scene.sleep(restOf(deployment));
      if (await carriesSpare()) return false;
    }
  }
  if (scene.planning) return true;
  const { remove } = labelOperations[holder.kind];
  if (deployment.operation(remove) === undefined) return false;
  const working = workingRemovals.get(deployment) ?? new Map<OperationId, boolean>();
  workingRemovals.set(deployment, working);
  const isUnseen = readers.length === 0 && second === undefined;
  if (!working.has(remove) || (isUnseen && working.get(remove))) {
    // The removal of a label that does not exist changes nothing, and shows whether the path of the removal is right.
    const probe = await write('remove', scene.newId(), writers[0]);
    if (shows(probe, [spare])) return false;
    // A 404 of the operation is about the label. Any other refusal may be the answer to every removal, and then nothing may be applied.
    const isAboutLabel = probe.status === 404 && (await isRouted(scene, probe));
    if (!succeeded(probe) && !isAboutLabel && !succeeded(await write('remove', spare.id, writers[0]))) return false;
    working.set(remove, succeeded(probe));
  }
  if (second !== undefined && readers.length === 0) {
    // The reply to a write of the second spare label shows whether the holder carries the first.
    const shown = await write('apply', second.id, writers.at(-1));
    if (shows(shown, [spare])) return false;
  }
  return true;
}

/** Whether a reply contains one of these labels in an array, or as the name of a property. */
function shows(reply: Exchange, labels: readonly NamedLabel[]): boolean {
  if (!succeeded(reply)) return false;
  const names = new Set(labels.flatMap(({ id, name }) => [id.toLowerCase(), ...(name === undefined ? [] : [name])]));
  const json = jsonOf(reply);
  const place = isObject(json) && 'labels' in json ? json.labels : json;
  return [...valuesOf(place)].some(
    ([path, value]) =>
      path.some((step) => typeof step === 'number' || names.has(step.toLowerCase())) &&
      (names.has(String(value).toLowerCase()) || names.has(String(value))),
  );
}

/**
 * Whether the refusal of a removal comes from the operation, and not from a router that does not know the path. The reply to a path that
 * surely does not exist decides.
 */
export async function isRouted(
  { deployment, send }: Pick<Scene, 'deployment' | 'send'>,
  refusal: Exchange,
): Promise<boolean> {
  const { operation: id, status, params } = refusal;
  const operation = deployment.operation(id);
  if (operation === undefined || status === 405) return false;
  if (operation.provenance.address === 'documented' || status !== 404) return true;
  const path = `${new URL(refusal.url).pathname.split('/').slice(0, -2).join('/')}/nowhere`;
  const nowhere = await send({ operation: operation.id, params, path, twist: 'path/nowhere' });
  return nowhere.status !== status || withoutPlace(nowhere) !== withoutPlace(refusal);
}

/** The body without paths, ids and numbers, which differ between requests. */
function withoutPlace({ body, url, params }: Exchange): string {
  const { pathname } = new URL(url);
  let rest = body ?? '';
  for (const part of [pathname, decodeURIComponent(pathname), ...Object.values(params)])
    rest = rest.replaceAll(part, '');
  return rest.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '').replace(/\d+/g, '');
}

interface OfHolders {
  readonly kind: string;
  readonly title: (words: string) => string;
  readonly feeds: readonly RuleId[];
  readonly spares?: 2;
  /** Also for holders of the other tenant. */
  readonly ofBoth?: true;
  /** In addition to the lock of the holder. */
  readonly locks?: readonly string[];
  readonly run: (labels: LabelScene, scene: Scene) => Promise<void>;
}

const ruleOfReplies = {
  conversation: ['labels/conversation-apply', 'labels/conversation-remove'],
  site: ['labels/site-apply', 'labels/site-label-set'],
  link: ['labels/link-remove'],
} as const satisfies Readonly<Record<string, readonly RuleId[]>>;

/** A situation for every holder, and the missing fields for holders that the target file does not name. */
export function* onHolders(
  { tenant, stranger }: Deployment,
  { kind, title, feeds, spares, ofBoth, locks = [], run }: OfHolders,
): Generator<Situation | Wanting> {
  const lacking =
    sparesOf(tenant).length === 0
      ? ['tenants[0].spareLabel']
      : spares && sparesOf(tenant).length < spares
        ? ['tenants[0].spareLabels']
        : [];
  for (const { slug, field } of missingHolders(tenant, 0))
    yield { id: `labels/${kind}/${slug}`, feeds, missing: [field, ...lacking] };
  const theirs = ofBoth && stranger !== undefined && sparesOf(stranger).length > 0 ? holdersOf(stranger) : [];
  for (const record of [...holdersOf(tenant), ...theirs]) {
    const { slug, holder, words } = record;
    const id = `labels/${kind}/${theirs.includes(record) ? 'theirs/' : ''}${slug}`;
    const fed: readonly RuleId[] = [
      ...feeds,
      ...ruleOfReplies[holder.kind],
      ...(slug === 'closed-conversation' ? (['labels/closed-conversation-can-be-labelled'] as const) : []),
    ];
    if (lacking.length > 0) yield { id, feeds: fed, missing: lacking };
    else
      yield {
        id,
        title: title(words),
        feeds: fed,
        uses: [labelOperations[holder.kind].apply, labelOperations[holder.kind].remove],
        locks: [holderKey(holder), ...locks],
        writes: 'labels',
        async run(scene) {
          const labels = await labelScene(scene, record);
          if (labels !== null) await run(labels, scene);
        },
      };
  }
}
