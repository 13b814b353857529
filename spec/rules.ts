import { type Rule, type RuleId, rules, type Verification } from './generated/rules.ts';

export * from './generated/rules.ts';

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** Whether a text, such as one from a waiver or a filter, is the id of a rule. */
export function isRuleId(text: string): text is RuleId {
  return byId.has(text);
}

/** The rule with this id. @throws Error if there is none, which the types exclude */
export function ruleById(id: RuleId): Rule {
  const rule = byId.get(id);
  if (rule === undefined) throw new Error(`${id} is not a rule of spec/rules.yaml`);
  return rule;
}

/** The rules that are verified this way, in the order of the specification. */
export const rulesFor = (way: Verification): readonly Rule[] =>
  rules.filter(({ verification }) => verification.includes(way));
