import type { RuleId } from '../../spec/rules.ts';
import type { Trial } from '../history/exchange.ts';
import type { Bench } from './bench.ts';
import { likelihood } from './chance.ts';
import { firstRounds, maxRounds, maxTrialsOfRule, rare } from './numbers.ts';

/** What is tried: whether a script shows a sign, and a control does not. */
export interface Question {
  readonly rule: RuleId;
  readonly sign: string;
  /** @returns whether the sign was there */
  readonly script: (b: Bench, trial: Trial) => Promise<boolean>;
  /** The same looks and waits, without the request in question. It must be able to show the sign. */
  readonly control: (b: Bench, trial: Trial) => Promise<boolean>;
}

/** `shown`: the request did it. `unclear`: the control shows it, too, or nearly. `once`: it did not come again. */
export type Answer = 'shown' | 'unclear' | 'once';

/** How often each arm showed the sign. */
export interface Counts {
  readonly shown: number;
  readonly of: number;
  readonly beside: number;
  readonly controls: number;
}

/** What these counts say so far; null where more rounds are needed. */
export function answerOf({ shown, of, beside, controls }: Counts): Answer | null {
  if (of < firstRounds) return null;
  if (shown > beside && likelihood(shown, of, beside, controls) < rare) return 'shown';
  if (shown === 0) return beside > 0 ? 'unclear' : 'once';
  return of >= maxRounds || beside >= shown ? 'unclear' : null;
}

/** Repeats script and control in turn, until the answer is clear. It changes no verdict: the history is judged by its exchanges. */
export async function examine(b: Bench, { rule, sign, script, control }: Question): Promise<Answer | null> {
  const before = b.state.trialsOf.get(rule) ?? 0;
  if (before >= maxTrialsOfRule || b.scene.planning) return null;
  b.state.trialsOf.set(rule, before + 1);
  const id = ++b.state.trials;
  return b.exclusive(async (alone) => {
    let [shown, beside] = [0, 0];
    for (let round = 1; ; round++) {
      await alone.pause();
      if (await control(alone, { id, arm: 'control', round, rule, sign })) beside++;
      await alone.pause();
      if (await script(alone, { id, arm: 'script', round, rule, sign })) shown++;
      const answer = answerOf({ shown, of: round, beside, controls: round });
      if (answer !== null) return answer;
    }
  });
}
