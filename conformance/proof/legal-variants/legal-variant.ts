import type { MockOptions } from '../../../mock/index.ts';
import type { Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { Target } from '../../../spec/files/target.ts';
import type { RuleId } from '../../../spec/rules.ts';

/** A deployment that keeps the contract in a way of its own: nothing about it may fail. */
export interface LegalVariant {
  readonly id: string;
  /** One sentence: what it does otherwise. */
  readonly does: string;
  readonly options?: () => Pick<MockOptions, 'profile' | 'createLimiter' | 'bodyLimit' | 'publicUrl'>;
  /** Called once per run, before the first request. */
  readonly around?: (scene: Omit<Scene, 'reached'>) => Scene['handle'];
  /** Its target file, from that of the mock. The operations of its profile are in it already. */
  readonly target?: (target: Target) => Target;
  /** Rules that cannot be told of it: to be inconclusive about them is right. */
  readonly unjudged?: readonly RuleId[] | 'any';
  /** Documented shoulds that it does not keep, on purpose. */
  readonly warns?: readonly RuleId[];
}
