import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Rule } from '../../spec/rules.ts';

interface Filters {
  readonly section?: string;
  readonly verification?: Rule['verification'][number];
}

/** `partnerkit rules`: every rule of the specification, with where it comes from and who verifies it. */
export function rulesCommand(command: Command): void {
  command
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
    .action(async ({ json, ...filters }: Filters & { readonly json?: boolean }) => {
      const [{ rules }, { rulesTable }] = await Promise.all([
        import('../../spec/rules.ts'),
        import('../rules-table.ts'),
      ]);
      const chosen = chooseRules(rules, filters);
      process.stdout.write(json ? `${JSON.stringify(chosen, null, 2)}\n` : rulesTable(chosen));
    });
}

function chooseRules(rules: readonly Rule[], { section = '', verification }: Filters): readonly Rule[] {
  const headings = [...new Set(rules.map((rule) => rule.section))];
  const matches = (heading: string) => heading.toLowerCase().includes(section.toLowerCase());
  if (!headings.some(matches)) {
    throw new ConfigurationError([`--section ${section}: no heading contains this; there are: ${headings.join(', ')}`]);
  }
  return rules.filter(
    (rule) => matches(rule.section) && (verification === undefined || rule.verification.includes(verification)),
  );
}
