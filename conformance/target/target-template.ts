/**
 * A target file to fill in. Only the required fields are active; optional fields are comments that say what they are for.
 */
export const targetTemplate = `# One deployment of the partner API, for partnerkit conformance and load. Everything but baseUrl and one key is optional:
# laws that need a missing field are "not run", and the report names the field. \${NAME} takes an environment variable,
# so that this file needs to contain no secret.

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
      # Keys with few scopes show that each operation demands its own scope.
      # - { name: reader, secret: "\${ACME_READER_KEY}", scopes: [conversation:read] }
      # - { name: none, secret: "\${ACME_BARE_KEY}", scopes: [] }
      # A key that was revoked in the portal must not authenticate any more.
      # - { name: revoked, secret: "\${ACME_REVOKED_KEY}", revoked: true }
      # A key only for measurements of the rate limiter, which exhaust it. Give its rate if that was raised.
      # - { name: limits, secret: "\${ACME_LIMITS_KEY}", scopes: [conversation:read, site:write], rateLimit: { perSecond: 10, burst: 20 }, use: limits }

    # Conversations that may be read and labelled; every label is removed again.
    # conversations:
    #   open: 00000000-0000-4000-8000-000000000001
    #   closed: 00000000-0000-4000-8000-000000000002

    # Sites that may be labelled; with --allow-leftovers files are uploaded to them.
    # sites:
    #   current: ovaid-00000000-0000-4000-8000-000000000003
    #   legacy: "10042"

    # A client and a site that are linked.
    # clientSite:
    #   client: ovcid-00000000-0000-4000-8000-000000000004
    #   site: ovaid-00000000-0000-4000-8000-000000000003

    # Another link of this client: writes to one link must not change the labels of the other.
    # otherClientSite:
    #   client: ovcid-00000000-0000-4000-8000-000000000004
    #   site: "10042"

    # A public label that no record carries, so that applying and removing it disturbs nobody.
    # spareLabel:
    #   id: 00000000-0000-4000-8000-000000000005
    #   name: spare

    # A private label that conversations.open carries, applied inside the product. No reply may show it.
    # privateLabel:
    #   id: 00000000-0000-4000-8000-000000000006
    #   name: internal

  # The stranger: another tenant, which must see nothing of the first. Without it isolation is not judged. If it has a site with
  # the same bare id as sites.legacy above, name that site here as well.
  # - name: globex
  #   keys:
  #     - name: full
  #       secret: "\${GLOBEX_KEY}"
  #       scopes: [conversation:read, conversation:write, client:read, client:write, site:read, site:write, siteFile:write]
  #   conversations:
  #     open: 00000000-0000-4000-8000-000000000007
  #   sites:
  #     current: ovaid-00000000-0000-4000-8000-000000000008
  #   clientSite:
  #     client: ovcid-00000000-0000-4000-8000-000000000009
  #     site: ovaid-00000000-0000-4000-8000-000000000008

# Only where this deployment differs from \`partnerkit rules\` and the API reference.
# operations:
#   applyConversationLabel: { method: PUT, path: "/v1/conversation/{id}/labels/{labelId}", scopes: [conversation:write] }
#   removeSiteLabel: null

# Commands for what only the product can do, for staging systems. They run only with --allow-hooks. Each gets its input as JSON on stdin
# and as variables (PARTNERKIT_ID, PARTNERKIT_TENANT, ...), and exits with 0 on success.
# hooks:
#   createKey: portal create-key
#   regenerateKey: portal regenerate-key
#   revokeKey: portal revoke-key
#   listKeys: portal list-keys

# The maximal difference between the clocks of the deployment and of this machine.
# clockSkewSeconds: 5
`;
