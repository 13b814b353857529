import type { HookName } from '../../spec/files/hooks.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Scene } from '../experiments/scene.ts';
import type { Deployment } from '../target/deployment.ts';

/** What a script is for and what it needs. */
export interface ScriptFacts {
  /** Never renamed. The kind, the action and the record, such as `labels/life/closed-conversation`. */
  readonly id: string;
  /** One sentence about what is done. */
  readonly title: string;
  /** Rules that get evidence from it. Other laws judge its exchanges as well. */
  readonly tries: readonly RuleId[];
  /** Operations that it needs. */
  readonly uses: readonly OperationId[];
  /** Hooks that it needs. It runs only with `--allow-hooks`. */
  readonly hooks?: readonly HookName[];
  /** The `holderKey`s of the records whose labels it writes. Scripts with a common lock do not run at the same time. */
  readonly locks?: readonly string[];
  /** `labels` are restored. `leftovers` cannot be removed and need `--allow-leftovers`. On a wrong deployment, `risk` may lose data for good; it needs `--allow-risk`. */
  readonly writes?: 'labels' | 'leftovers' | 'risk';
  /** Takes minutes. It runs only with `--slow`. */
  readonly slow?: true;
  /** Measures the limiter with the key for this purpose: `first`, before all other scripts, or `parallel` to them. */
  readonly limits?: 'first' | 'parallel';
}

/** Brings the deployment into a state that is worth judging, and sends requests. It contains no expectations. */
export interface Script extends ScriptFacts {
  run(scene: Scene): Promise<void>;
}

/** A script for which the target file lacks fields. */
export interface Wanting {
  readonly id: string;
  readonly tries: readonly RuleId[];
  readonly missing: readonly string[];
}

/** Generates the scripts of one kind, and those for which the target file lacks fields. */
export type Generate = (deployment: Deployment) => Iterable<Script | Wanting>;
