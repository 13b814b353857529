import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Rule } from '../../spec/rules.ts';
import { nearest } from '../../spec/text/nearest.ts';

interface Filters {
  readonly section?: string;
  readonly verification?: Rule['verification'][number];
}

/** `partnerkit rules`: lists the rules of the specification, with their provenance and verification. */
export function rulesCommand(command: Command): void {
  command
    .argument('[ids...]', 'only these rules: ids or how they start (labels, auth/no-key-is-403)')
    .option('--section <text>', 'only sections whose heading contains this')
    .addOption(
      new Option('--verification <way>', 'only rules verified in this way').choices([
        'conformance',
        'load',
        'certify',
        'mock',
        'untestable',
      ]),
    )
    .option('--json', 'print JSON')
    .action(async (ids: readonly string[], { json, ...filters }: Filters & { readonly json?: boolean }) => {
      const [{ rules }, { rulesTable }] = await Promise.all([
        import('../../spec/rules.ts'),
        import('../rules-table.ts'),
      ]);
      const chosen = chooseRules(named(rules, ids), filters);
      process.stdout.write(json ? `${JSON.stringify(chosen, null, 2)}\n` : rulesTable(chosen));
    });
}

/** Finds rules by id. @throws ConfigurationError for an unknown id, with the nearest one */
function named(rules: readonly Rule[], ids: readonly string[]): readonly Rule[] {
  if (ids.length === 0) return rules;
  const isIn = (id: string) => (rule: Rule) => rule.id === id || rule.id.startsWith(`${id.replace(/\/$/, '')}/`);
  const unknown = ids.filter((id) => !rules.some(isIn(id)));
  if (unknown.length === 0) return rules.filter((rule) => ids.some((id) => isIn(id)(rule)));
  const names = rules.flatMap((rule) => [rule.id, rule.id.slice(0, rule.id.indexOf('/'))]);
  throw new ConfigurationError(
    unknown.map((id) => {
      const meant = nearest(id, names);
      return `${id}: there is no such rule; ${meant === undefined ? 'see partnerkit rules' : `did you mean "${meant}"?`}`;
    }),
  );
}

function chooseRules(rules: readonly Rule[], { section = '', verification }: Filters): readonly Rule[] {
  const headings = [...new Set(rules.map((rule) => rule.section))];
  const matches = (heading: string) => heading.toLowerCase().includes(section.toLowerCase());
  if (section !== '' && !headings.some(matches)) {
    throw new ConfigurationError([`--section ${section}: no heading contains this; there are: ${headings.join(', ')}`]);
  }
  return rules.filter(
    (rule) => matches(rule.section) && (verification === undefined || rule.verification.includes(verification)),
  );
}
