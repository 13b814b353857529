import type { RuleId } from '../../spec/rules.ts';
import { deploymentOf } from '../target/deployment.ts';
import { completeTarget } from './complete-target.ts';
import { scripts } from './index.ts';

/** The scripts that give evidence for a rule, with a complete target file. */
export const scriptsTrying = (rule: RuleId): { readonly id: string; readonly title: string }[] =>
  [...scripts(deploymentOf(completeTarget))].flatMap((one) =>
    'missing' in one || !one.tries.includes(rule) ? [] : [{ id: one.id, title: one.title }],
  );
