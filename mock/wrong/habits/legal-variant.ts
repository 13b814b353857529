import type { Target } from '../../../spec/files/target.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { MockOptions } from '../../in-process.ts';
import type { Product } from '../tampering/defect.ts';
import { inWords } from '../tampering/defect.ts';
import type { Scene } from '../tampering/tamper.ts';

/** A deployment that keeps the contract but differs from the mock. No law may fail. */
export interface LegalVariant {
  readonly id: string;
  /** The difference. */
  readonly does: string;
  readonly options?: () => Pick<MockOptions, 'profile' | 'createLimiter' | 'bodyLimit' | 'publicUrl' | 'seeds'>;
  /** Called once per run, before the first request. */
  readonly around?: (scene: Scene) => Scene['handle'];
  /** Changes what hooks do. */
  readonly product?: (does: Product) => Product;
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
