import type { Rule } from '../../../../spec/rules.ts';

/** The text of `spec/RULES.md`: a table of rules for each heading of the specification. */
export function renderRulesPage(all: readonly Rule[]): string {
  const sections = [...new Set(all.map(({ section }) => section))];
  const tables = sections.map((section) =>
    [
      `## ${section}`,
      '',
      '| rule | level | provenance | verified by |',
      '| ---- | ----- | ---------- | ----------- |',
      ...all.filter((rule) => rule.section === section).map(row),
    ].join('\n'),
  );
  return `<!-- Generated from rules.yaml by \`npm run generate\`; do not edit. -->

# Rules

Every rule of the specification, in our words. Only a \`documented\` *must* rule can fail a deployment; a \`documented\` *should* rule only gives a warning. For \`reference\` rules (seen in
public reference pages) and \`assumed\` ones ([our decision](DECISIONS.md)), the behaviour is only reported.

${tables.join('\n\n')}
`;
}

function row({ id, rule, level, provenance, verification, behaviour, reason }: Rule): string {
  const more = [
    behaviour === undefined ? '' : ` Mock: ${behaviour}.`,
    reason === undefined ? '' : ` Because: ${reason}.`,
  ].join('');
  return `| \`${id}\`<br>${cell(rule + more)} | ${level} | ${provenance} | ${verification.join(', ')} |`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
