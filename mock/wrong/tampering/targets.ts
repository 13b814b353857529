import type { Target } from '../../../spec/files/target.ts';

/** A target file with a single spare label for each tenant. */
export const oneSpare = (target: Target): Target => ({
  ...target,
  tenants: target.tenants.map(({ spareLabels: _, ...tenant }) => tenant),
});

/** A target file whose first tenant has a client with two links. */
export const twoLinks = ({ tenants: [tenant, ...others], ...target }: Target): Target => {
  const client = 'ovcid-c11e0003-0000-4000-8000-000000000003';
  const links = {
    clientSite: { client, site: 'ovaid-517e0001-0000-4000-8000-000000000001' },
    otherClientSite: { client, site: '10042' },
  };
  const privateLabels = tenant?.privateLabels?.map((one) => ({
    ...one,
    on: one.on?.filter((on) => on !== 'clientSite'),
  }));
  return { ...target, tenants: [...(tenant ? [{ ...tenant, ...links, privateLabels }] : []), ...others] };
};
