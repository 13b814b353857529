import type { HookName } from '../../../spec/files/hooks.ts';
import type { Target } from '../../../spec/files/target.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Mock, MockOptions } from '../../in-process.ts';
import type { Scene } from './tamper.ts';

/** A hook: acts inside the product and returns its output. */
export type Product = (hook: HookName, input: Readonly<Record<string, string>>) => unknown;

/** A way in which a deployment may break the contract. */
export interface WrongWay {
  /** Area and fault. Unique and never renamed, because others refer to it. */
  readonly id: string;
  /** The rule that it breaks. */
  readonly rule: RuleId;
  /** What such a deployment does, in words. */
  readonly does: string;
}

/** A way to break a rule, in an otherwise correct mock. */
export interface Defect extends WrongWay {
  /** Wraps the handler of the mock. Called once per run, so that its state is new. */
  readonly around?: (scene: Scene) => Mock['handle'];
  /** Changes what hooks do. */
  readonly product?: (does: Product, reached: () => void) => Product;
  /** The limiters that break it. */
  readonly createLimiter?: (reached: () => void) => MockOptions['createLimiter'];
}

export type Around = NonNullable<Defect['around']>;

/** What a broken deployment does, in code, and in words where its id does not say it. */
type Fault = Around | readonly [does: string, around: Around];

/** An id without its area, as words. */
const inWords = (id: string): string => id.replace(/^.*\//, '').replaceAll('-', ' ');

/** Defects that break one rule, by their ids. */
export const breaking = (rule: RuleId, faults: Readonly<Record<string, Fault>>): Defect[] =>
  Object.entries(faults).map(([id, fault]) => {
    const [does, around] = typeof fault === 'function' ? [inWords(id), fault] : fault;
    return { id, rule, does, around };
  });

/** A deployment that keeps the contract but differs from the mock. No law may fail. */
export interface LegalVariant {
  readonly id: string;
  /** The difference. */
  readonly does: string;
  readonly options?: () => Pick<MockOptions, 'profile' | 'createLimiter' | 'bodyLimit' | 'publicUrl' | 'seeds'>;
  /** Called once per run, before the first request. */
  readonly around?: (scene: Scene) => Scene['handle'];
  /** Changes the target file of the mock, which already has the operations of the profile. */
  readonly target?: (target: Target) => Target;
  /** Rules that may be inconclusive. */
  readonly unjudged?: readonly RuleId[] | 'any';
  /** Documented shoulds that the deployment does not keep. */
  readonly warns?: readonly RuleId[] | 'any';
}

type How = NonNullable<LegalVariant['around']> | Omit<LegalVariant, 'id' | 'does'>;

/** Legal variants by their ids: in code, and in words where the id does not say it. */
export const legal = (all: Readonly<Record<string, How | readonly [does: string, how: How]>>) =>
  Object.entries(all).map(([id, one]): LegalVariant => {
    const [does, how] = Array.isArray(one) ? (one as readonly [string, How]) : [inWords(id), one as How];
    return { id, does, ...(typeof how === 'function' ? { around: how } : how) };
  });
