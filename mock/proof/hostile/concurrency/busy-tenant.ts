import type { TenantSeed } from '../../../index.ts';

export const labelCount = 50;
export const secret = 'busy-tenants-secret-0001';
export const site = '1';

const uuid = (kind: string, n: number) => `${kind}-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const labelId = (n: number) => uuid('1abe1000', n);
const conversation = uuid('c0000000', 1);
const client = `ovcid-${uuid('c11e0000', 1)}`;

/** The paths under which a label is on each kind of holder. */
export const holders = {
  conversation: (label: number) => `/v1/conversation/${conversation}/label/${labelId(label)}`,
  site: (label: number) => `/v1/site/${site}/label/${labelId(label)}`,
  link: (label: number) => `/v1/client/${client}/site/${site}/label/${labelId(label)}`,
} as const;

const nameOf = (label: number) => `label ${String(label).padStart(3, '0')}`;

/** A tenant with one holder of each kind and many labels, half of which each holder carries unless told otherwise. */
export function busyTenant({ carried = true, name = 'busy' } = {}): TenantSeed {
  const all = Array.from({ length: labelCount }, (_, n) => n);
  const labels = carried ? all.slice(labelCount / 2).map(nameOf) : [];
  return {
    tenant: name,
    keys: [
      {
        name: 'full',
        secret,
        scopes: [
          'conversation:read',
          'conversation:write',
          'client:write',
          'site:read',
          'site:write',
          'siteFile:write',
        ],
      },
    ],
    users: [],
    labels: all.map((n) => ({ id: labelId(n), name: nameOf(n), visibility: 'public' })),
    clients: [{ id: client, name: 'C', firstName: 'C', lastName: 'C', createdAt: '2026-01-01T00:00:00Z' }],
    sites: [{ id: site, labels, clients: [{ client, labels }] }],
    conversations: [{ id: conversation, labels }],
  };
}

/** The path of the conversation's context. */
export const contextPath = `/v1/conversation/${conversation}/context`;
