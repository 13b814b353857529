import { fieldTable } from './field-table.ts';

/** The text of `fixtures/README.md`: the fields of a tenant file. @param schema the JSON Schema of such a file */
export function renderFixturesPage(schema: string): string {
  return `<!-- Generated from the schema by \`npm run generate\`; do not edit. -->

# Fixture files: the tenants of the mock

\`partnerkit mock\` serves three tenants. [acme.yaml](acme.yaml) is for your tests, [globex.yaml](globex.yaml) is another tenant, and [initech.yaml](initech.yaml) has raised limits.
[mock.target.yaml](mock.target.yaml) describes them to conformance and load. To serve your own tenants, [get partnerkit](../README.md#get-it), and

\`\`\`console
$ npx partnerkit fixtures mine.yaml --tenant umbrella
mine.yaml was written. Edit it, then serve it:
  npx partnerkit mock --fixtures mine.yaml
\`\`\`

\`--fixtures\` reads such a file or a folder of them (\`*.yaml\`, \`*.yml\`, \`*.json\`, one tenant each), and reads them again when they change.
\`partnerkit fixtures large.tenant.jsonl --conversations 100000\` generates a large tenant. The first line of a fixture file names
[its schema](../mock/seed/tenant.schema.json) for editors. Programs find the schema as \`partnerkit/fixtures.schema.json\`.

Ids have the form of [the contract](../spec/openapi.yaml), which also describes the fields that have no description below. Records refer to labels by name and
to everything else by id. An error names the place of a reference to an unknown record. The secrets are fakes, because they are printed and served.

${fieldTable(JSON.parse(schema))}
`;
}
