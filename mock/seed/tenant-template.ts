/** A fixture file to start from: a small tenant with a record of each kind, and comments about what else is possible. */
export const tenantTemplate = (
  tenant: string,
): string => `# A tenant of the mock, for partnerkit mock --fixtures. Kinds of records, and fields that the contract does not require,
# may be left out. The secrets are invented and work only with this mock: do not use real ones.
tenant: ${tenant}
description: A tenant of your own

keys:
  - name: full
    secret: ${tenant}-full-fake-secret-0001
    scopes: [conversation:read, conversation:write, client:read, client:write, site:read, site:write, siteFile:write, user:read]
  # A key that lacks scopes, one with raised limits, and a revoked one.
  - { name: reader, secret: ${tenant}-read-fake-secret-0002, scopes: ["conversation:read"] }
  - name: fast
    secret: ${tenant}-fast-fake-secret-0003
    scopes: [conversation:read]
    rateLimit: { perSecond: 50, burst: 100 }
  - { name: revoked, secret: ${tenant}-gone-fake-secret-0004, scopes: ["conversation:read"], revoked: true }

users:
  - { id: a9e70001-0000-4000-8000-000000000001, name: Alex Agent, email: alex@example.com, role: agent }

# Other records refer to labels by name. Private labels exist in the tenant, but no reply shows them.
labels:
  - { id: 1abe1001-0000-4000-8000-000000000001, name: vip, visibility: public }
  - { id: 1abe1002-0000-4000-8000-000000000002, name: spare, visibility: public }
  - { id: 1abe9001-0000-4000-8000-000000000001, name: internal, visibility: private }

clients:
  - id: ovcid-c11e0001-0000-4000-8000-000000000001
    name: Casey Client
    firstName: Casey
    lastName: Client
    createdAt: 2026-01-05T09:00:00Z
    emails:
      - { id: e3a10001-0000-4000-8000-000000000001, value: casey@example.com, isPrimary: true }

sites:
  - id: ovaid-517e0001-0000-4000-8000-000000000001
    address1: 1 Example Street
    city: Austin
    state: TX
    labels: [vip]
    # Each entry is a client-site link, with labels of its own.
    clients:
      - { client: ovcid-c11e0001-0000-4000-8000-000000000001, isPrimary: true, labels: [vip] }
  # Older sites have ids without "ovaid-".
  - id: "10042"
    address1: 2 Example Street

conversations:
  - id: c0000001-0000-4000-8000-000000000001
    subject: Boiler makes a noise
    status: open
    createdAt: 2026-11-01T08:00:00Z
    labels: [vip, internal]
    participants:
      agents: [a9e70001-0000-4000-8000-000000000001]
      clients: [ovcid-c11e0001-0000-4000-8000-000000000001]
    sites: [ovaid-517e0001-0000-4000-8000-000000000001]
    messages:
      - { author: Casey Client, role: client, createdAt: "2026-11-01T08:00:00Z", text: It hums at night. }
  # A conversation needs nothing but an id.
  - id: c0000002-0000-4000-8000-000000000002
`;
