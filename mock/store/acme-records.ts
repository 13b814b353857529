/** The records of the packaged tenant acme, `fixtures/acme.yaml`, under names that a test can read. */
export const acmeRecords = {
  /** By status. `bare` has only the required fields. */
  conversations: {
    open: 'c0000001-0000-4000-8000-000000000001',
    closed: 'c0000002-0000-4000-8000-000000000002',
    'in-progress': 'c0000003-0000-4000-8000-000000000003',
    pending: 'c0000004-0000-4000-8000-000000000004',
    scheduled: 'c0000005-0000-4000-8000-000000000005',
    resolved: 'c0000006-0000-4000-8000-000000000006',
    'on-hold': 'c0000007-0000-4000-8000-000000000007',
    new: 'c0000008-0000-4000-8000-000000000008',
    bare: 'c0000010-0000-4000-8000-000000000010',
  },
  /** `current` is the site of the open conversation, `legacy` has a number as id, `plain` has no labels. */
  sites: {
    current: 'ovaid-517e0001-0000-4000-8000-000000000001',
    business: 'ovaid-517e0002-0000-4000-8000-000000000002',
    legacy: '10042',
    plain: 'ovaid-517e0004-0000-4000-8000-000000000004',
    bare: '7',
  },
  /** The primary client of the site of the same name. */
  clients: {
    current: 'ovcid-c11e0001-0000-4000-8000-000000000001',
    business: 'ovcid-c11e0002-0000-4000-8000-000000000002',
    legacy: 'ovcid-c11e0003-0000-4000-8000-000000000003',
    plain: 'ovcid-c11e0004-0000-4000-8000-000000000004',
  },
  /** By name. The last three are private. No record has `spare` or `second spare`. */
  labels: {
    vip: '1abe1001-0000-4000-8000-000000000001',
    'after-hours': '1abe1002-0000-4000-8000-000000000002',
    warranty: '1abe1003-0000-4000-8000-000000000003',
    'estimate-sent': '1abe1004-0000-4000-8000-000000000004',
    'parts-on-order': '1abe1005-0000-4000-8000-000000000005',
    'maintenance-plan': '1abe1006-0000-4000-8000-000000000006',
    'gate code needed': '1abe1007-0000-4000-8000-000000000007',
    spare: '1abe1008-0000-4000-8000-000000000008',
    'second spare': '1abe1009-0000-4000-8000-000000000009',
    'internal-risk': '1abe9001-0000-4000-8000-000000000901',
    'payment-watchlist': '1abe9002-0000-4000-8000-000000000902',
    'churn-suspect': '1abe9003-0000-4000-8000-000000000903',
  },
} as const;

/** `full` has every scope, `none` has none, `revoked` is revoked, `limits` is for tests of the rate limit. */
export const acmeKeys = [
  'full',
  'none',
  'revoked',
  'limits',
  'only-conversation-read',
  'only-conversation-write',
  'only-client-read',
  'only-client-write',
  'only-site-read',
  'only-site-write',
  'only-site-file-write',
  'only-user-read',
  'links',
] as const;

/** The name of a key of the tenant acme. */
export type AcmeKey = (typeof acmeKeys)[number];

/** An id for each name in the fixture. */
export type AcmeIds<Kind extends keyof typeof acmeRecords> = Readonly<Record<keyof (typeof acmeRecords)[Kind], string>>;

/**
 * The names of the records of a copy.
 * @param ids maps the ids of the original to those of the copy. A record of acme that it does not have gets no name
 */
export function namedIn(ids: Readonly<Record<string, string>>) {
  const named = (kind: 'conversations' | 'sites' | 'clients'): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(acmeRecords[kind]).flatMap(([name, id]) => (ids[id] ? [[name, ids[id]]] : [])));
  return { conversations: named('conversations'), sites: named('sites'), clients: named('clients') };
}
