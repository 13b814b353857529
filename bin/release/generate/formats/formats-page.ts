import { fieldTable } from './field-table.ts';

/** The text of `spec/FORMATS.md`: all fields of target, profile and waiver files. @param schemas their JSON Schemas */
export function renderFormatsPage(schemas: Readonly<Record<'target' | 'profile' | 'waivers', string>>): string {
  const table = (name: keyof typeof schemas) => fieldTable(JSON.parse(schemas[name]));
  return `<!-- Generated from the schemas by \`npm run generate\`; do not edit. -->

# Target, profile and waiver files

All files are YAML or JSON. An unknown field is refused, with the most similar known field. \`--help\` of a command says which files it reads. Editors complete and
check a file whose first line names the schema. \`partnerkit init\` and \`--write-profile\` write that line. To write it yourself, in a project's folder:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/partnerkit/dist/spec/files/waivers.schema.json
waivers:
  - { id: auth/revoked-key-is-403, reason: ticket 12, owner: dana, expires: 2099-12-31 }
\`\`\`

Programs find the schemas as \`partnerkit/target.schema.json\`, \`partnerkit/profile.schema.json\`, \`partnerkit/waivers.schema.json\`,
\`partnerkit/fixtures.schema.json\`, \`partnerkit/conformance-report.schema.json\`, \`partnerkit/client-report.schema.json\` and \`partnerkit/load-report.schema.json\`. Fixture files have
[a page of their own](../fixtures/README.md).

## Target

A target file describes one deployment for \`partnerkit conformance\`, \`partnerkit load\` and \`partnerkit doctor\`. \`\${NAME}\` in any text is replaced by an environment variable. A minimal file:

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

A profile says what a deployment does where the specification is silent. \`partnerkit conformance run --write-profile FILE\` writes it, and \`partnerkit mock --profile FILE\` does
the same as the deployment. Where the profile says nothing, [our decisions](DECISIONS.md) apply.

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

A waiver file excuses known failures of \`partnerkit conformance run --waivers FILE\`. A waiver that is expired or no longer needed fails the run.

${table('waivers')}

## Versions

Target, profile, waiver and fixture files and both reports follow semantic versioning with the package:

- a patch changes no format;
- a minor version may add optional fields to files and fields to reports: a valid file stays valid and means the same, and readers of reports must ignore
  fields that they do not know;
- only a major version removes a field, requires a new one, or changes the meaning of one, and the [changelog](../CHANGELOG.md) says how to change a file.

So a target file for 1.2 is valid for 1.5. A file with a field that an older version does not know is refused with the name of the field. \`partnerkit conformance compare\` compares reports of
its own major version that are not newer than itself. A conformance report has the version of its format in \`schemaVersion\`, a load report in \`version\`; both have
the version of partnerkit in \`kit\`. A snapshot of the mock can only be restored by the version that took it.
`;
}
