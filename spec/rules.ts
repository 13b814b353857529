import { type Rule, type RuleId, rules, type Verification } from './generated/rules.ts';

export * from './generated/rules.ts';

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** Narrows text from outside (a waiver, a filter, a report) to the id of a rule. */
export function isRuleId(text: string): text is RuleId {
  return byId.has(text);
}

/** @throws Error for an id that no rule has: a mistake in our own code, since the type forbids it. */
export function ruleById(id: RuleId): Rule {
  const rule = byId.get(id);
  if (rule === undefined) throw new Error(`${id} is not a rule of spec/rules.yaml`);
  return rule;
}

/** The rules that are verified in this way, in the order of the specification. */
export const rulesFor = (way: Verification): readonly Rule[] =>
  rules.filter(({ verification }) => verification.includes(way));
