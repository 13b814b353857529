import { type Command, Help } from '@commander-js/extra-typings';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { type Rule, rules } from '../../spec/rules.ts';
import { remedy } from '../../spec/text/nearest.ts';

/** `partnerkit rules`: lists the rules of the specification, with their provenance and verification; of one rule, also what tries it. */
export function define(command: Command): void {
  command
    .argument('[ids...]', 'only these rules: ids or how they start (labels, auth/no-key-is-403)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  partnerkit rules labels')
    .action(async (ids, flags) => {
      const chosen = named(ids);
      const [only, ...others] = chosen;
      const scripts = only === undefined || others.length > 0 ? [] : await scriptsOf(only);
      const shown = scripts.length > 0 ? chosen.map((rule) => ({ ...rule, scripts })) : chosen;
      process.stdout.write(flags.json ? `${JSON.stringify(shown, null, 2)}\n` : rulesText(chosen, scripts));
    });
}

const scriptsOf = async ({ id }: Rule) =>
  (await import('../../conformance/scripts/missing-target-fields.ts')).scriptsTrying(id);

/** Finds rules by id. @throws ConfigurationError for an unknown id, with the nearest one */
function named(ids: readonly string[]): readonly Rule[] {
  if (ids.length === 0) return rules;
  const isIn = (id: string) => (rule: Rule) => rule.id === id || rule.id.startsWith(`${id.replace(/\/$/, '')}/`);
  const unknown = ids.filter((id) => !rules.some(isIn(id)));
  if (unknown.length === 0) return rules.filter((rule) => ids.some((id) => isIn(id)(rule)));
  const names = rules.flatMap((rule) => [rule.id, rule.id.slice(0, rule.id.indexOf('/'))]);
  throw new ConfigurationError(
    unknown.map((id) => `${id}: there is no such rule; ${remedy(id, names, 'see partnerkit rules')}`),
  );
}

const indented = (text: string) => new Help().boxWrap(text, 76).replace(/^/gm, '    ');

/** Rules by section: the id, the sentence, then level, provenance and verification. */
function rulesText(rules: readonly Rule[], scripts: Awaited<ReturnType<typeof scriptsOf>>): string {
  const lines = rules.flatMap((rule, position) => [
    ...(rules[position - 1]?.section === rule.section ? [] : ['', rule.section]),
    `  ${rule.id}`,
    indented(rule.rule),
    indented(`${rule.level}, ${rule.provenance}; verified by ${rule.verification.join(', ')}`),
    ...(rule.remedy === undefined ? [] : [indented(`To mend it: ${rule.remedy}`)]),
    ...(rule.behaviour === undefined ? [] : [indented(`Mock: ${rule.behaviour}.`)]),
    ...(rule.reason === undefined ? [] : [indented(`Because: ${rule.reason}.`)]),
  ]);
  const tried = scripts.map(({ id, title }) => indented(`${id}: ${title}`));
  const failing = rules.filter(
    ({ level, provenance, verification: by }) =>
      level === 'must' && provenance === 'documented' && (by.includes('conformance') || by.includes('load')),
  ).length;
  return [
    ...lines,
    ...(tried.length > 0 ? ['', 'Scripts of `conformance run` that try it:', ...tried] : []),
    '',
    `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}; ${failing} of them can fail a deployment (documented must rules)`,
    '',
  ]
    .join('\n')
    .trimStart();
}
