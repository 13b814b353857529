/** A way through requests that must end in a success, tried again where it does not. */
import { replySigns } from '../contract/reply.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import type { Bench } from './bench.ts';
import { examine, examineAtOnce, type Question } from './trial.ts';

/** A way through one or more requests. @returns the one that is judged; null where it did not come so far */
type Go = (b: Bench, trial?: Trial) => Promise<Exchange | null>;

/** A way that must succeed. */
export interface Way extends Omit<Question, 'sign' | 'script' | 'control'> {
  /** Takes so long that all rounds of a trial are made at the same time. */
  readonly slow?: boolean;
  readonly go: Go;
  /** The same way without what is in question. */
  readonly control: Go;
}

/** Goes a way once more for what its end showed, again and again, beside the control. @returns whether it was tried */
export async function tryAgain(b: Bench, shown: Exchange | null, { slow = false, go, control, ...way }: Way) {
  let isTried = false;
  for (const sign of shown ? replySigns(shown, b.deployment, way.rule) : []) {
    const answer = await (slow ? examineAtOnce : examine)(b, {
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
    if (answer !== null) isTried = true;
  }
  return isTried;
}

/** Goes a way, and tries again what it shows. */
export async function mustPass(b: Bench, way: Way): Promise<Exchange | null> {
  const exchange = await way.go(b);
  await tryAgain(b, exchange, way);
  return exchange;
}
