import { fieldTable } from './field-table.ts';

/** The text of `fixtures/README.md`: what a tenant's file holds. @param schema of such a file, as JSON */
export function renderFixturesPage(schema: string): string {
  return `<!-- Generated from the schema by \`npm run generate\`; do not edit. -->

# Fixture files: the tenants of the mock

[acme.yaml](acme.yaml) is the tenant to build against, [globex.yaml](globex.yaml) a stranger, [initech.yaml](initech.yaml) has raised limits;
[mock.target.yaml](mock.target.yaml) describes the three to conformance and load. They are what \`partnerkit mock\` serves. To serve your own:

\`\`\`console
$ partnerkit fixtures init mine.yaml --tenant umbrella
mine.yaml was written. Edit it, then serve it:
  partnerkit mock --fixtures mine.yaml
\`\`\`

\`--fixtures\` takes such a file or a folder of them (\`*.yaml\`, \`*.yml\`, \`*.json\`, one tenant each), and serves them again when they change. Large tenants are
made up from a seed: \`partnerkit fixtures generate --conversations 100000 --out large.tenant.jsonl\`. The first line of the file leads editors to
[its schema](../mock/seed/tenant.schema.json), which programs find as \`partnerkit/fixtures.schema.json\`.

Ids have the form that [the contract](../spec/openapi.yaml) gives them, and what is said of a field there is not said again below. Labels are referred to by name,
everything else by id; a reference to nothing is refused with its place. The secrets are fakes: they are printed and served.

${fieldTable(JSON.parse(schema))}
`;
}
