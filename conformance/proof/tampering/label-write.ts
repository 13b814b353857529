import type { Mock } from '../../../mock/index.ts';
import { type Answered, type Asked, instead, onReply, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { LabelHolder } from '../../../mock/store/records.ts';
import { linkKey } from '../../../mock/store/records.ts';
import type { Tenant } from '../../../mock/store/tenant.ts';
import { type Holder, type LabelAct, labelWriteOf as writeNamed } from '../../target/holder.ts';

/** A write of a label, with its holder and label in the store of one tenant. */
export interface LabelWrite {
  readonly does: LabelAct;
  readonly on: Holder['kind'];
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
  const write = writeNamed(id, params);
  if (tenant === undefined || write === null) return undefined;
  const on = write.holder.kind;
  const holder =
    on === 'conversation'
      ? tenant.conversations.get(params.id ?? '')
      : on === 'site'
        ? tenant.sites.get(params.id ?? '')
        : tenant.links.get(linkKey(params.clientId ?? '', params.siteId ?? ''));
  return holder && { does: write.act, on, tenant, holder, label: tenant.records.labels.get(params.labelId ?? '') };
}

/** Executes the write without any check. */
export function carryOut({ does, tenant, holder, label }: LabelWrite): void {
  if (label === undefined) return;
  if (does === 'apply') tenant.applyLabel(holder, label);
  else tenant.removeLabel(holder, label);
}

/** Executes refused writes on a record of this tenant. @param owner undefined for requests that stay as they are */
export const doneAnyway = (owner: (answered: Answered) => string | undefined) =>
  onReply((answered) => {
    const tenant = owner(answered);
    const write = tenant === undefined ? undefined : labelWriteOf(answered, tenant);
    if (write === undefined) return undefined;
    carryOut(write);
    return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
  });

/** Returns a function that restores the present labels of the holder. */
export function keeping({ tenant, holder }: LabelWrite): () => void {
  const before = [...tenant.labelsOf(holder)];
  return () => tenant.setLabels(holder, before);
}

/** Whether the holder carries the label now. */
export const carried = ({ tenant, holder, label }: LabelWrite): boolean =>
  label !== undefined && [...tenant.labelsOf(holder)].includes(label.id);

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
