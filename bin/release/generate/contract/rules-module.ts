import { parse } from 'yaml';

/**
 * The text of `spec/generated/rules.ts`: plain data that imports nothing, so that k6 can load it. A rule that lacks something, or has
 * something unknown, does not compile.
 * @param yaml the text of `spec/rules.yaml`
 */
export function rulesModule(yaml: string): string {
  const rules: readonly { readonly id: string }[] = parse(yaml);
  return `// Generated from spec/rules.yaml by \`npm run generate\`. Do not edit.

/** The id of a rule: its area and its subject. */
export type RuleId =
${rules.map(({ id }) => `  | '${id}'`).join('\n')};

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
export const rules: readonly Rule[] = ${JSON.stringify(rules, null, 2)};
`;
}
