import type { RuleId } from '../../spec/rules.ts';
import { deploymentOf } from '../target/deployment.ts';
import { completeTarget } from './complete-target.ts';
import { situations } from './index.ts';

/** The situations that give evidence for a rule, with a complete target file. */
export const situationsFeeding = (rule: RuleId): { readonly id: string; readonly title: string }[] =>
  [...situations(deploymentOf(completeTarget))].flatMap((one) =>
    'missing' in one || !one.feeds.includes(rule) ? [] : [{ id: one.id, title: one.title }],
  );
