import type { Target, TargetTenant } from '../../../spec/files/target.ts';
import { type Stranger, strangers } from './stranger.ts';

type Change = (tenant: TargetTenant, index: number) => Partial<Record<keyof TargetTenant, unknown>>;

/** A target file whose tenants have other fields, or lack some. */
export const tenants = (change: Change): Pick<Stranger, 'target'> => ({
  target: (target) =>
    ({ ...target, tenants: target.tenants.map((one, i) => ({ ...one, ...change(one, i) })) }) as Target,
});
const keys = (isMeant: (name: string) => boolean) =>
  tenants((tenant) => ({ keys: tenant.keys.filter(({ name }) => isMeant(name)) }));
const none: Partial<Record<keyof TargetTenant, undefined>> = {
  ...{ conversations: undefined, sites: undefined, clientSite: undefined },
  ...{ privateLabel: undefined, privateLabels: undefined },
};
export const nothing = { ...none, spareLabel: undefined, spareLabels: undefined };
export const idOf = <L extends { readonly id: string }>({ id }: L) => ({ id });
export const missing = 'the target file leaves out what some rules need';

/** The packaged deployment, of which the target file says little. */
export const thin = strangers({
  'one-key': ['is described with one key a tenant', keys((name) => name === 'full'), missing],
  'one-conversation': [
    'is described with one record, a conversation',
    tenants(({ conversations }) => ({ ...none, conversations: { open: conversations?.open } })),
    missing,
  ],
  'one-site': [
    'is described with one record, a site',
    tenants(({ sites }) => ({ ...none, sites: { current: sites?.current } })),
    missing,
  ],
  'no-private-labels': [
    'is described without private labels',
    tenants(() => ({ privateLabel: undefined, privateLabels: undefined })),
    missing,
  ],
  'narrow-keys': [
    'is described with narrow keys alone',
    keys((name) => !/^(full|limits|none|revoked)$/.test(name)),
    missing,
  ],
  'nothing-allowed': [
    'has no hooks, and may not be left with files',
    { chosen: { allowLeftovers: false, allowHooks: false, slow: false } },
    missing,
  ],
  'bare-id-of-theirs-untold': [
    'does not say that the other tenant has a site with the same bare id',
    tenants(({ sites }, i) => (i === 0 ? {} : { sites: { current: sites?.current } })),
    missing,
  ],
});
