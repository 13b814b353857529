import type { LabelHolder } from '../../mock/store/records.ts';
import { linkKey } from '../../mock/store/records.ts';
import type { Tenant } from '../../mock/store/tenant.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Asked } from './tamper.ts';

/** A request that puts a label on something or takes it off, with what it is about in one tenant's store. */
export interface LabelWrite {
  readonly does: 'apply' | 'remove';
  readonly on: 'conversation' | 'site' | 'link';
  readonly tenant: Tenant;
  readonly holder: LabelHolder;
  /** Undefined where the tenant has no such label; private ones too. */
  readonly label: { readonly id: string; readonly name: string; readonly visibility: 'public' | 'private' } | undefined;
}

const writes = {
  applyConversationLabel: ['apply', 'conversation'],
  removeConversationLabel: ['remove', 'conversation'],
  applySiteLabel: ['apply', 'site'],
  removeSiteLabel: ['remove', 'site'],
  applyClientSiteLabel: ['apply', 'link'],
  removeClientSiteLabel: ['remove', 'link'],
} as const satisfies Partial<Record<OperationId, readonly [LabelWrite['does'], LabelWrite['on']]>>;

type LabelOperation = keyof typeof writes;

const isLabelOperation = (id: Asked['id']): id is LabelOperation => id !== null && Object.hasOwn(writes, id);

/** What a request does to labels; undefined for other requests, and where the tenant has no such holder. */
export function labelWriteOf(
  { id, params, mock, key }: Pick<Asked, 'id' | 'params' | 'mock' | 'key'>,
  owner: string | undefined = key?.tenant,
): LabelWrite | undefined {
  const tenant = mock.tenants.get(owner ?? '');
  if (tenant === undefined || !isLabelOperation(id)) return undefined;
  const [does, on] = writes[id];
  const holder =
    on === 'conversation'
      ? tenant.conversations.get(params.id ?? '')
      : on === 'site'
        ? tenant.sites.get(params.id ?? '')
        : tenant.links.get(linkKey(params.clientId ?? '', params.siteId ?? ''));
  return holder && { does, on, tenant, holder, label: tenant.records.labels.get(params.labelId ?? '') };
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
