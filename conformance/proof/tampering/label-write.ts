import type { Mock } from '../../../mock/index.ts';
import { type Asked, instead, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { LabelHolder } from '../../../mock/store/records.ts';
import { linkKey } from '../../../mock/store/records.ts';
import type { Tenant } from '../../../mock/store/tenant.ts';
import { type Holder, type LabelAct, labelWriteOf as writeNamed } from '../../target/holder.ts';

/** A request that puts a label on something or takes it off, with what it is about in one tenant's store. */
export interface LabelWrite {
  readonly does: LabelAct;
  readonly on: Holder['kind'];
  readonly tenant: Tenant;
  readonly holder: LabelHolder;
  /** Undefined where the tenant has no such label; private ones too. */
  readonly label: { readonly id: string; readonly name: string; readonly visibility: 'public' | 'private' } | undefined;
}

/** What a request does to labels; undefined for other requests, and where the tenant has no such holder. */
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

/** Does what the request asks, whoever asks it. */
export function carryOut({ does, tenant, holder, label }: LabelWrite): void {
  if (label === undefined) return;
  if (does === 'apply') tenant.applyLabel(holder, label);
  else tenant.removeLabel(holder, label);
}

/** Puts the holder's labels back to what they were when this was called. */
export function keeping({ tenant, holder }: LabelWrite): () => void {
  const before = [...tenant.labelsOf(holder)];
  return () => tenant.setLabels(holder, before);
}

/** Whether the holder carries the label, right now. */
export const carried = ({ tenant, holder, label }: LabelWrite): boolean =>
  label !== undefined && [...tenant.labelsOf(holder)].includes(label.id);

export const isClosed = ({ holder }: LabelWrite): boolean => 'id' in holder && String(holder.id).startsWith('c0000002');

/** Changes replies by what was seen before the deployment did anything. */
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

/** Whether the label was carried before the write. */
export const wasCarried = (write: LabelWrite | undefined): boolean => write !== undefined && carried(write);
