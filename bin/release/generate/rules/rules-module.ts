import { parse } from 'yaml';
import { z } from 'zod';

const sentence = z.string().min(1);

const ruleShape = z
  .strictObject({
    id: z.string().regex(/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/, 'an id is area/words-with-dashes'),
    section: sentence,
    rule: sentence.regex(/\.$/, 'a rule is a sentence and ends with a full stop'),
    level: z.enum(['must', 'should']),
    provenance: z.enum(['documented', 'reference', 'assumed']),
    verification: z.array(z.enum(['conformance', 'load', 'certify', 'mock', 'untestable'])).nonempty(),
    behaviour: sentence.optional(),
    reason: sentence.optional(),
  })
  .refine(({ verification: by }) => !by.includes('untestable') || by.length === 1, 'untestable stands alone')
  .refine(({ verification: by, reason }) => by.includes('untestable') === (reason !== undefined), {
    message: 'untestable and reason need each other',
  })
  .refine(({ verification: by, behaviour }) => by.includes('mock') === (behaviour !== undefined), {
    message: 'verification by mock and behaviour need each other',
  });

/**
 * The text of `spec/generated/rules.ts`: plain data that imports nothing, so that k6 can load it.
 * @param yaml the text of `spec/rules.yaml`
 * @throws Error with a line for each problem, which names the rule
 */
export function renderRules(yaml: string): string {
  const entries: unknown = parse(yaml);
  const { data, error } = z.array(ruleShape).safeParse(entries);
  if (error) throw new Error(error.issues.map((issue) => problem(entries, issue)).join('\n'));

  const ids = data.map(({ id }) => id);
  const repeated = ids.filter((id, position) => ids.indexOf(id) !== position);
  if (repeated.length > 0) throw new Error(`spec/rules.yaml: ${repeated.join(', ')}: an id stands for one rule only`);

  return `// Generated from spec/rules.yaml by \`npm run generate\`. Do not edit.

/** The id of a rule: its area and its subject. */
export type RuleId =
${ids.map((id) => `  | '${id}'`).join('\n')};

/** How a rule is verified. \`untestable\` excludes all others. */
export type Verification = 'conformance' | 'load' | 'certify' | 'mock' | 'untestable';

export interface Rule {
  readonly id: RuleId;
  /** The heading of the specification that the rule comes from. */
  readonly section: string;
  /** One sentence. */
  readonly rule: string;
  readonly level: 'must' | 'should';
  /** Only documented rules are judged. For other rules, the behaviour of a deployment is observed. */
  readonly provenance: 'documented' | 'reference' | 'assumed';
  readonly verification: readonly Verification[];
  /** The behaviour that tests of the mock prove, if \`mock\` is among the verifications. */
  readonly behaviour?: string;
  /** Why the rule is not verified, if it is untestable. */
  readonly reason?: string;
}

/** All rules, in the order of the specification. */
export const rules: readonly Rule[] = ${JSON.stringify(data, null, 2)};
`;
}

function problem(entries: unknown, issue: z.core.$ZodIssue): string {
  const [position = 0, ...path] = issue.path;
  const entry: unknown = Array.isArray(entries) ? entries[Number(position)] : undefined;
  const id =
    typeof entry === 'object' && entry !== null && 'id' in entry ? String(entry.id) : `rule ${Number(position)}`;
  return ['spec/rules.yaml', id, ...path.map(String), issue.message].join(': ');
}
