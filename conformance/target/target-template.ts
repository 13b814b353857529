/**
 * A target file to fill in: the least that is needed stands there, everything else is a comment that says what it brings.
 */
export const targetTemplate = `# One deployment of the partner API, for partnerkit conformance and load. Everything but baseUrl and one key is optional:
# what is missing turns checks into "not run", and the report names the field. \${NAME} takes an environment variable,
# so that no secret has to stand here.

# Where the API is, without /v1.
baseUrl: https://connect.example.com

tenants:
  # The tenant under test.
  - name: acme
    keys:
      # A key with as many scopes as there are. Checks choose keys by their scopes.
      - name: full
        secret: "\${ACME_KEY}"
        scopes: [conversation:read, conversation:write, client:read, client:write, site:read, site:write, siteFile:write, user:read]
      # Keys with few scopes show that each operation asks for its own.
      # - { name: reader, secret: "\${ACME_READER_KEY}", scopes: [conversation:read] }
      # - { name: none, secret: "\${ACME_BARE_KEY}", scopes: [] }
      # A key that was revoked in the portal must not authenticate any more.
      # - { name: revoked, secret: "\${ACME_REVOKED_KEY}", revoked: true }
      # A key for the limit checks alone, which exhaust it. Give its rate where the operator has raised it.
      # - { name: limits, secret: "\${ACME_LIMITS_KEY}", scopes: [conversation:read, site:write], rateLimit: { perSecond: 10, burst: 20 }, use: limits }

    # Conversations that may be read and labelled; every label is taken off again.
    # conversations:
    #   open: 00000000-0000-4000-8000-000000000001
    #   closed: 00000000-0000-4000-8000-000000000002

    # Sites that may be labelled, and with --allow-leftovers uploaded to.
    # sites:
    #   current: ovaid-00000000-0000-4000-8000-000000000003
    #   legacy: "10042"

    # A client and a site that are linked.
    # clientSite:
    #   client: ovcid-00000000-0000-4000-8000-000000000004
    #   site: ovaid-00000000-0000-4000-8000-000000000003

    # A public label that nothing carries, so that putting it on and taking it off disturbs nobody.
    # spareLabel:
    #   id: 00000000-0000-4000-8000-000000000005
    #   name: spare

    # A private label that conversations.open carries, put there inside the product. It must show nowhere.
    # privateLabel:
    #   id: 00000000-0000-4000-8000-000000000006
    #   name: internal

  # The stranger: another tenant, which must see nothing of the first. Without it isolation is not checked. Where it has a site
  # under the bare id of sites.legacy, too, say so here.
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

# Only what this deployment does otherwise than \`partnerkit rules\` and the API reference say.
# operations:
#   applyConversationLabel: { method: PUT, path: "/v1/conversation/{id}/labels/{labelId}", scopes: [conversation:write] }
#   removeSiteLabel: null

# What only the product can do, for staging systems; run with --allow-hooks alone. The shell runs each, gives it its input as JSON on stdin and as
# PARTNERKIT_ variables (PARTNERKIT_ID, PARTNERKIT_TENANT, ...), and it exits with 0 when it is done.
# hooks:
#   createKey: portal create-key
#   regenerateKey: portal regenerate-key
#   revokeKey: portal revoke-key
#   listKeys: portal list-keys

# How far the clocks of the deployment and of this machine may differ.
# clockSkewSeconds: 5
`;
