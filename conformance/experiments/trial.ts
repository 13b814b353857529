import type { RuleId } from '../../spec/rules.ts';
import { replySigns } from '../contract/reply.ts';
import { counted } from '../counted.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import { firstRounds, maxRounds, maxTrialsOfRule, rare } from '../numbers.ts';
import type { Bench } from './bench.ts';
import { likelihood } from './chance.ts';
import { isForeign, type Sign } from './model.ts';

/** What is tried: whether a script shows a sign, and a control does not. */
export interface Question {
  readonly rule: RuleId;
  readonly sign: string;
  /** @returns whether the sign was there */
  readonly script: (b: Bench, trial: Trial) => Promise<boolean>;
  /** The same looks and waits, without the request in question. It must be able to show the sign. */
  readonly control: (b: Bench, trial: Trial) => Promise<boolean>;
  /** Where one rule is tried in several ways, each has trials of its own. */
  readonly way?: string | undefined;
  /** Each round waits for minutes, on files of its own with which nothing else interferes: all rounds are made at the same time. */
  readonly slow?: boolean;
  /** Rounds after which it is given up, where each is costly. */
  readonly rounds?: number | undefined;
  /** Whether the record was changed as often as is meant: then only the first trial of a rule is made, in as few rounds as show anything. */
  readonly isSpent?: ((b: Bench) => boolean) | undefined;
}

/** `shown`: the request did it. `unclear`: the control shows it, too, or nearly. `once`: it did not come again. */
type Answer = 'shown' | 'unclear' | 'once';

/** How often each arm showed the sign. */
export interface Counts {
  readonly shown: number;
  readonly of: number;
  readonly beside: number;
  readonly controls: number;
}

/** `seen 8 of 8 times with this request, and 0 of 8 times in the control, the same steps without it` */
export const countWords = ({ shown, of, beside, controls }: Counts): string =>
  `seen ${shown} of ${counted(of, 'time')} with this request, and ${beside} of ${counted(controls, 'time')} in the control, the same steps without it`;

/** Labels that others put on and take off are theirs to change: what changes without the request says nothing about it. */
export const isOfOthers = (sign: Sign, beside: number): boolean => isForeign(sign) && beside > 0;

/** What these counts say so far; null where more rounds are needed. */
export function answerOf({ shown, of, beside, controls }: Counts): Answer | null {
  if (of < firstRounds) return null;
  if (shown > beside && likelihood(shown, of, beside, controls) < rare) return 'shown';
  if (shown === 0) return beside > 0 ? 'unclear' : 'once';
  return of >= maxRounds || beside >= shown ? 'unclear' : null;
}

/** A new trial; null where this was tried often enough. */
function newTrial(b: Bench, { rule, way, isSpent }: Question): number | null {
  const { state, scene } = b;
  const name = way === undefined ? rule : `${rule} ${way}`;
  const before = state.trialsOf.get(name) ?? 0;
  if (before >= maxTrialsOfRule || (before > 0 && isSpent?.(b)) || scene.planning) return null;
  state.trialsOf.set(name, before + 1);
  return ++state.trials;
}

/** Repeats script and control in turn, until the answer is clear. It changes no verdict: the history is judged by its exchanges. */
export async function examine(b: Bench, question: Question): Promise<Answer | null> {
  const { rule, sign, rounds = Number.POSITIVE_INFINITY } = question;
  const id = newTrial(b, question);
  if (id === null) return null;
  const shows = (bench: Bench, arm: Trial['arm'], round: number) =>
    question[arm](bench, { id, arm, round, rule, sign });
  if (question.slow) {
    const all = Array.from({ length: firstRounds }, (_, i) => i + 1);
    for (const arm of ['control', 'script'] as const) await Promise.all(all.map((round) => shows(b, arm, round)));
    return null;
  }
  return b.exclusive(async (alone) => {
    let [shown, beside] = [0, 0];
    for (let round = 1; ; round++) {
      await alone.pause();
      if (await shows(alone, 'control', round)) beside++;
      await alone.pause();
      if (await shows(alone, 'script', round)) shown++;
      if (isOfOthers(sign, beside)) return 'unclear';
      const answer = answerOf({ shown, of: round, beside, controls: round });
      if (answer !== null) return answer;
      if (round >= rounds || (round >= firstRounds && question.isSpent?.(alone)))
        return shown === 0 ? 'once' : 'unclear';
    }
  });
}

/** A way through one or more requests. @returns the one that is judged; null where it did not come so far */
type Go = (b: Bench, trial?: Trial) => Promise<Exchange | null>;

/** A way through requests that must end in a success. */
export interface Way extends Omit<Question, 'sign' | 'script' | 'control'> {
  readonly go: Go;
  /** The same way without what is in question. */
  readonly control: Go;
}

/** Goes a way once more for what its end showed, again and again, beside the control. @returns whether it was tried */
export async function tryAgain(b: Bench, shown: Exchange | null, { go, control, ...way }: Way) {
  let isTried = false;
  for (const sign of shown ? replySigns(shown, b.deployment, way.rule) : []) {
    const answer = await examine(b, {
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
