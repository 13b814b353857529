import type { Mock, MockOptions } from '../../../mock/index.ts';
import type { Scene } from '../../../mock/proof/tampering/tamper.ts';
import type { HookName } from '../../../spec/files/hooks.ts';
import type { Target } from '../../../spec/files/target.ts';
import type { RuleId } from '../../../spec/rules.ts';

/** What is done inside the product, and what is printed of it. */
export type Product = (hook: HookName, input: Readonly<Record<string, string>>) => unknown;

/** One way of breaking one rule, planted into an otherwise correct mock. */
export interface Defect {
  /** Area and what is wrong; unique, and never renamed, because the kill matrix refers to it. */
  readonly id: string;
  readonly breaks: RuleId;
  /** One sentence: what the broken deployment does. */
  readonly does: string;
  /** Stands between network and mock. Called once per run, so that what it remembers starts anew. */
  readonly around?: (scene: Scene) => Mock['handle'];
  /** Changes what the product does when a hook asks for it. */
  readonly product?: (does: Product, reached: () => void) => Product;
  /** Options of the mock that break it. */
  readonly options?: (reached: () => void) => Pick<MockOptions, 'createLimiter' | 'bodyLimit' | 'rateLimit' | 'files'>;
  /** What the target file says of it, where that differs from the mock's. */
  readonly target?: (target: Target) => Target;
  /** Nobody outside can see this one: it shows that the matrix can report a survivor. */
  readonly survives?: true;
}
