import { oneSpare } from '../../tampering/targets.ts';
import { strangers } from '../stranger.ts';
import { idOf, missing, nothing, tenants } from '../thin.ts';

export const thin = strangers({
  'one-tenant': [
    'is described with one tenant',
    { target: (one) => ({ ...one, tenants: one.tenants.slice(0, 1) }) },
    missing,
  ],
  'no-spare-label': [
    'is described without spare labels',
    tenants(() => ({ spareLabel: undefined, spareLabels: undefined })),
    missing,
  ],
  'one-spare-label': ['is described with one spare label a tenant', { target: oneSpare }, missing],
  'no-names': [
    'is described with the ids of labels alone',
    tenants(({ spareLabel, spareLabels }) => ({
      spareLabel: spareLabel && idOf(spareLabel),
      spareLabels: spareLabels?.map(idOf),
      privateLabel: undefined,
      privateLabels: undefined,
    })),
    missing,
  ],
  'bare-stranger': [
    'is described with nothing of the other tenant but a key',
    tenants((_, i) => (i === 0 ? {} : nothing)),
    missing,
  ],
  'read-only': [
    'may only be read',
    { chosen: { readOnly: true, allowHooks: false, allowLeftovers: false } },
    'nothing may be written',
  ],
});
