/** A target file to fill in. Only the required fields are active; optional fields are comments that say what they are for. */
export const targetTemplate = `# One deployment of the partner API. Everything but baseUrl and one key is optional: laws that need a missing field are "not run",
# and the report names the field. \${NAME} takes an environment variable, so that this file needs to contain no secret.

# The address of the API, without /v1.
baseUrl: https://connect.example.com

tenants:
  # The tenant under test.
  - name: acme
    keys:
      # A key with all scopes. Requests choose keys by their scopes.
      - name: full
        secret: "\${ACME_KEY}"
        scopes: [conversation:read, conversation:write, client:read, client:write, site:read, site:write, siteFile:write, user:read]
      # Keys with few scopes, a revoked one, and one that only measurements of the rate limiter exhaust.
      # - { name: reader, secret: "\${ACME_READER_KEY}", scopes: [conversation:read] }
      # - { name: none, secret: "\${ACME_BARE_KEY}", scopes: [] }
      # - { name: revoked, secret: "\${ACME_REVOKED_KEY}", revoked: true }
      # - { name: limits, secret: "\${ACME_LIMITS_KEY}", scopes: [conversation:read, site:write], rateLimit: { perSecond: 10, burst: 20 }, use: limits }

    # Records that may be read and labelled; every label is removed again. With --allow-leftovers files are uploaded to sites.
    # conversations: { open: 00000000-0000-4000-8000-000000000001, closed: 00000000-0000-4000-8000-000000000002 }
    # sites: { current: ovaid-00000000-0000-4000-8000-000000000003, legacy: "10042" }
    # clientSite: { client: ovcid-00000000-0000-4000-8000-000000000004, site: ovaid-00000000-0000-4000-8000-000000000003 }
    # otherClientSite: { client: ovcid-00000000-0000-4000-8000-000000000004, site: "10042" }

    # A public label that no record carries, and a private one that conversations.open carries, applied inside the product.
    # spareLabel: { id: 00000000-0000-4000-8000-000000000005, name: spare }
    # privateLabel: { id: 00000000-0000-4000-8000-000000000006, name: internal }

  # The stranger: another tenant, which must see nothing of the first. Without it isolation is not judged.
  # - name: globex
  #   keys:
  #     - { name: full, secret: "\${GLOBEX_KEY}", scopes: [conversation:read, conversation:write, client:read, site:read, siteFile:write] }
  #   conversations: { open: 00000000-0000-4000-8000-000000000007 }
  #   sites: { current: ovaid-00000000-0000-4000-8000-000000000008 }
  #   clientSite: { client: ovcid-00000000-0000-4000-8000-000000000009, site: ovaid-00000000-0000-4000-8000-000000000008 }

# Only where this deployment differs from \`partnerkit rules\` and the API reference.
# operations:
#   applyConversationLabel: { method: PUT, path: "/v1/conversation/{id}/labels/{labelId}", scopes: [conversation:write] }
#   removeSiteLabel: null

# Commands for what only the product can do, for staging systems, with --allow-hooks. Each gets its input as JSON and as variables.
# hooks:
#   createKey: portal create-key
#   regenerateKey: portal regenerate-key
#   revokeKey: portal revoke-key
#   listKeys: portal list-keys

# The maximal difference between the clocks of the deployment and of this machine.
# clockSkewSeconds: 5
`;
