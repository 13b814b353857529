import type { RuleId } from '../../spec/rules.ts';
import { replySigns } from '../contract/reply.ts';
import type { Bench } from '../experiments/bench.ts';
import { examine, examineAtOnce, type Question } from '../experiments/trial.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';

/** A way through one or more requests. @returns the one that is judged; null where it did not come so far */
type Go = (b: Bench, trial?: Trial) => Promise<Exchange | null>;

/** A way that must succeed. */
export interface Way extends Pick<Question, 'way' | 'rounds'> {
  readonly rule: RuleId;
  /** Takes so long that all rounds of a trial are made at the same time. */
  readonly slow?: boolean;
  readonly go: Go;
  /** The same way without what is in question. */
  readonly control: Go;
}

/** Goes a way. What it shows is tried again, beside the control. */
export async function mustPass(b: Bench, { slow = false, go, control, ...way }: Way): Promise<Exchange | null> {
  const exchange = await go(b);
  for (const sign of exchange ? replySigns(exchange, b.deployment, way.rule) : [])
    await (slow ? examineAtOnce : examine)(b, {
      ...way,
      sign,
      script: async (alone, trial) => {
        const again = await go(alone, trial);
        return again !== null && replySigns(again, b.deployment, way.rule).includes(sign);
      },
      control: async (alone, trial) => {
        const other = await control(alone, trial);
        return other !== null && !succeeded(other);
      },
    });
  return exchange;
}
