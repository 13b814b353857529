import { fieldTable } from './field-table.ts';

/** The text of `spec/FORMATS.md`: every field of target, profile and waiver files. @param schemas as JSON */
export function renderFormatsPage(schemas: Readonly<Record<'target' | 'profile' | 'waivers', string>>): string {
  const table = (name: keyof typeof schemas) => fieldTable(JSON.parse(schemas[name]));
  return `<!-- Generated from the schemas by \`npm run generate\`; do not edit. -->

# Target, profile and waiver files

All are YAML or JSON. A field that is not below is refused, with the nearest that is; \`--help\` of a command says which files it takes. Editors complete and
check a file whose first line names the schema. \`partnerkit conformance init\` and \`--write-profile\` write that line; by hand it is, from a project's folder:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/partnerkit/dist/spec/files/waivers.schema.json
waivers:
  - { id: auth/revoked-key-is-403, reason: ticket 12, owner: dana, expires: 2099-12-31 }
\`\`\`

Programs find the schemas as \`partnerkit/target.schema.json\`, \`partnerkit/profile.schema.json\`, \`partnerkit/waivers.schema.json\`,
\`partnerkit/fixtures.schema.json\`, \`partnerkit/conformance-report.schema.json\`, \`partnerkit/client-report.schema.json\` and \`partnerkit/load-report.schema.json\`. Fixture files have
[a page of their own](../fixtures/README.md).

## Target

One deployment, for \`partnerkit conformance\`, \`partnerkit load\` and \`partnerkit doctor\`. \`\${NAME}\` in any text takes an environment variable. The least:

\`\`\`yaml
# target
baseUrl: https://connect.example.com
tenants:
  - name: acme
    keys:
      - { name: full, secret: "\${ACME_KEY}", scopes: ["conversation:read", "conversation:write"] }
\`\`\`

${table('target')}

## Profile

What one deployment does where the specification is silent. \`partnerkit conformance run --write-profile FILE\` writes it, \`partnerkit mock --profile FILE\` does
the same; what it leaves out is as in [the decisions](DECISIONS.md).

\`\`\`yaml
# profile
operations:
  getSite: { path: "/v1/sites/{id}" }
errors:
  unknown-site: { status: 403, code: FORBIDDEN }
limits: { retryAfter: 2 }
\`\`\`

${table('profile')}

## Waivers

Known failures of \`partnerkit conformance run --waivers FILE\`. One that is expired or no longer needed fails the run.

${table('waivers')}

## Versions

Target, profile, waiver and fixture files and both reports follow semantic versioning with the package:

- a patch changes no format;
- a minor version may add optional fields to files and fields to reports: a file that was right stays right and means the same, and who reads reports passes
  over fields that they do not know;
- only a major version takes a field away, needs a new one, or gives one another meaning, and the [changelog](../CHANGELOG.md) says how to change a file.

So a target for 1.2 is right for 1.5; a file that uses what an older version does not have is refused by name. \`partnerkit conformance diff\` compares reports of
its own major version that are not newer than itself. A conformance report counts its format in \`schemaVersion\`, a load report in \`version\`; both say
the version of partnerkit in \`kit\`. A snapshot of the mock is for the version that took it.
`;
}
