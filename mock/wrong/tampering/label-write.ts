import { isDeepStrictEqual } from 'node:util';
import type { Mock } from '../../in-process.ts';
import type { LabelHolder } from '../../store/records.ts';
import { linkKey } from '../../store/records.ts';
import type { Tenant } from '../../store/tenant.ts';
import { asArray, type Json, objectOf, replyWith, withProperties } from './json-value.ts';
import { type Owner, ownerOf } from './predicates.ts';
import { type Answered, type Asked, instead, onReply, type Scene } from './tamper.ts';
import { onReplyTo, type When } from './when.ts';

/** A write of a label, with its holder and label in the store of one tenant. */
export interface LabelWrite {
  readonly does: 'apply' | 'remove';
  readonly on: 'conversation' | 'site' | 'link';
  readonly tenant: Tenant;
  readonly holder: LabelHolder;
  /** Public or private; undefined where the tenant has no such label. */
  readonly label: { readonly id: string; readonly name: string; readonly visibility: 'public' | 'private' } | undefined;
}

/** The label write of a request; undefined for other requests, and where the tenant has no such holder. */
export function labelWriteOf(
  { id, params, mock, key }: Pick<Asked, 'id' | 'params' | 'mock' | 'key'>,
  owner: string | undefined = key?.tenant,
): LabelWrite | undefined {
  const tenant = mock.tenants.get(owner ?? '');
  const [, does, kind] = /^(apply|remove)(Conversation|Site|ClientSite)Label$/.exec(id ?? '') ?? [];
  if (tenant === undefined || does === undefined) return undefined;
  const on = kind === 'Conversation' ? 'conversation' : kind === 'Site' ? 'site' : 'link';
  const holder =
    on === 'conversation'
      ? tenant.conversations.get(params.id ?? '')
      : on === 'site'
        ? tenant.sites.get(params.id ?? '')
        : tenant.records.links.get(linkKey(params.clientId ?? '', params.siteId ?? ''));
  return (
    holder && {
      does: does as LabelWrite['does'],
      on,
      tenant,
      holder,
      label: tenant.records.labels.get(params.labelId ?? ''),
    }
  );
}

/** The private labels of a tenant, as replies show labels. */
export const privateLabelsOf = ({ tenants }: Mock, tenant: string): { id: string; name: string }[] =>
  [...(tenants.get(tenant)?.records.labels.values() ?? [])]
    .filter(({ visibility }) => visibility === 'private')
    .map(({ id, name }) => ({ id, name }));

/** The public labels that the holder of a write carries now, as replies show labels. */
export const labelsNow = ({ tenant, holder }: LabelWrite): { id: string; name: string }[] =>
  tenant.publicLabelsOf(holder).map(({ id, name }) => ({ id, name }));

/** Executes the write without any check. */
export function carryOut(write: LabelWrite): void {
  if (write.does === 'apply') put(write);
  else drop(write);
}

/** Executes writes that are refused. Those that change nothing do not count. @param owner the tenant of the records */
export const doneAnyway = (when: When, owner: Owner = 'its own') =>
  onReplyTo(when, (answered) => {
    const write = labelWriteOf(answered, ownerOf(owner, answered));
    if (write?.label === undefined || carried(write) === (write.does === 'apply')) return undefined;
    carryOut(write);
    return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
  });

type Which = (write: LabelWrite, answered: Answered) => unknown;

/** Changes the replies to some successful label writes. */
export const onWrite = (
  which: Which,
  change: (write: LabelWrite, answered: Answered) => Answered['reply'] | undefined,
) =>
  onReply((answered) => {
    const write = answered.ok ? labelWriteOf(answered) : undefined;
    return write !== undefined && which(write, answered) ? change(write, answered) : undefined;
  });

/** Changes the labels in the replies to some successful label writes. */
export const inLabels = (
  on: LabelWrite['on'] | 'any',
  does: LabelWrite['does'] | 'any',
  change: (labels: readonly Json[], write: LabelWrite, answered: Answered) => readonly Json[] | undefined,
) =>
  onWrite(
    (write) => (on === 'any' || write.on === on) && (does === 'any' || write.does === does),
    (write, answered) => {
      const labels = change(asArray(objectOf(answered.reply).labels), write, answered);
      return labels && withProperties(answered.reply, { labels });
    },
  );

/** Answers 200 to some writes of private labels. Removals without an effect may succeed. */
export const reachable = (which: (write: LabelWrite) => unknown, effect: boolean) =>
  onReply((answered) => {
    const write = answered.refused === null ? undefined : labelWriteOf(answered);
    if (write?.label?.visibility !== 'private' || !which(write)) return undefined;
    if (effect && write.does === 'remove' && !carried(write)) return undefined;
    if (effect) carryOut(write);
    return replyWith(200, {
      ...('id' in write.holder && { siteId: String(write.holder.id) }),
      labels: labelsNow(write),
    });
  });

/** Every record in the store that labels can be put on. */
export const holdersIn = ({ tenants }: Mock) =>
  [...tenants.values()].flatMap((tenant) => {
    const { conversations, sites, links } = tenant.records;
    return [conversations, sites, links].flatMap((all) =>
      [...all.values()].map((holder: LabelHolder) => ({ tenant, holder })),
    );
  });

/** The labels of every record in the store, one line for each. */
export const labelsIn = (mock: Mock): string[] =>
  holdersIn(mock).map(({ tenant, holder }) => `${tenant.name}: ${JSON.stringify([...tenant.labelsOf(holder)].sort())}`);

/** Changes the store after some successful label writes. Their replies stay as they are. */
export const alsoAfter = (which: Which, more: (write: LabelWrite, scene: Scene) => void) => (scene: Scene) =>
  onWrite(which, (write) => {
    const before = labelsIn(scene.mock);
    more(write, scene);
    if (!isDeepStrictEqual(labelsIn(scene.mock), before)) scene.reached();
    return undefined;
  })(scene);

/** Changes the store after some successful label writes. Their replies show the changed labels. */
export const shownAfter = (which: Which, more: (write: LabelWrite) => void) =>
  onWrite(which, (write, { reply }) => {
    more(write);
    return withProperties(reply, { labels: labelsNow(write) });
  });

export const applying = (on: LabelWrite['on']) => (write: LabelWrite) => write.does === 'apply' && write.on === on;
export const removing = (on: LabelWrite['on']) => (write: LabelWrite) => write.does === 'remove' && write.on === on;

type Carrying = Pick<LabelWrite, 'tenant' | 'holder' | 'label'>;

export const put = ({ tenant, holder, label }: Carrying): void => label && tenant.applyLabel(holder, label);
export const drop = ({ tenant, holder, label }: Carrying): void => label && tenant.removeLabel(holder, label);

/** Removes the last of the other public labels. */
export function dropAnother({ tenant, holder, label }: LabelWrite): LabelWrite['label'] {
  const last = tenant.publicLabelsOf(holder).findLast(({ id }) => id !== label?.id);
  const another = last && tenant.records.labels.get(last.id);
  if (another !== undefined) tenant.removeLabel(holder, another);
  return another;
}

/** Returns a function that restores the present labels of the holder. */
export function keeping({ tenant, holder }: LabelWrite): () => void {
  const before = [...tenant.labelsOf(holder)];
  return () => tenant.setLabels(holder, before);
}

/** Whether the holder carries the label now. */
export const carried = ({ tenant, holder, label }: Carrying): boolean =>
  label !== undefined && [...tenant.labelsOf(holder)].includes(label.id);

/** Whether it is a spare label of the tenant under test. */
export const isSpare = ({ label }: LabelWrite): boolean => /^1abe100[89]-.*00[89]$/.test(label?.id ?? '');

export const isClosed = ({ holder }: LabelWrite): boolean => 'id' in holder && String(holder.id).startsWith('c0000002');

/** Changes replies depending on the state before the request. */
export const knowing =
  <T>(see: (write: LabelWrite | undefined) => T, around: (seen: () => T) => (scene: Scene) => Mock['handle']) =>
  (scene: Scene): Mock['handle'] => {
    let seen = see(undefined);
    const handle = around(() => seen)(scene);
    return instead((asked) => {
      seen = see(labelWriteOf(asked));
      return undefined;
    })({ ...scene, handle });
  };

/** Whether the holder carried the label before the write. */
export const wasCarried = (write: LabelWrite | undefined): boolean => write !== undefined && carried(write);
