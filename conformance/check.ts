import type { OperationId } from '../spec/operations.ts';
import type { RuleId } from '../spec/rules.ts';
import type { FactName, Facts, Holder } from './facts.ts';
import type { MeasuredLimiter } from './measured-limiter.ts';
import type { ProfilePatch } from './profile-patch.ts';
import type { Reply } from './reply.ts';
import type { Deployment } from './target/deployment.ts';
import type { KeyNeed, KeyOfTenant } from './target/keys.ts';

/** How a request differs from the ordinary one: the operation's own method and path, and a key with its scopes. */
export interface CallOptions {
  /** Another key; null for none at all. */
  readonly as?: KeyOfTenant | null;
  readonly params?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
  /** In place of those that would be sent; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Added to the path, with its question mark. */
  readonly query?: string;
  /** In place of the operation's own. */
  readonly method?: string;
  readonly path?: string;
  /** Past the pacer, sent once, any status is a reply: for checks of the limiter. */
  readonly unpaced?: true;
  /** Gives back what was borrowed: tried to the end, even when nothing else is sent any more. */
  readonly restores?: true;
}

/** What a running check can do. */
export interface CheckContext<Need extends FactName = FactName, KeyName extends string = string> {
  /** The facts that the check declared. */
  readonly given: Pick<Facts, Need>;
  /** The keys that the check declared. */
  readonly keys: Readonly<Record<KeyName, KeyOfTenant>>;
  /**
   * Sends a request for an operation, paced and, where it is safe, sent again after 429, 503 or a lost connection.
   * @throws Inconclusive when no usable reply came
   */
  call(id: OperationId, options?: CallOptions): Promise<Reply>;
  /** PUTs bytes to an upload URL: no key, no pacing, no repetition. */
  put(url: string, contentType: string | null, bytes: Uint8Array): Promise<Reply>;
  /**
   * Declares that this check will change whether the holder carries the label, which it does not carry now. It is taken
   * off when the check ends, however it ends, and by `conformance cleanup` should the runner die.
   */
  borrow(holder: Holder, label: string): Promise<void>;
  /** The answer to an open question, in words, and as part of the profile of this deployment where it has a place there. */
  observe(answer: string, profile?: ProfilePatch): void;
  /** What the limiter was seen to do, for the picture in reports. */
  measured(limiter: MeasuredLimiter): void;
  /** Every reply of the run so far but those of limit checks: for checks that judge them all. */
  replies(): readonly Reply[];
  /** Made by the first check of the run that asks for it, then the same for all that ask by this name. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T>;
  /** Milliseconds since the epoch on our clock. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
  readonly deployment: Deployment;
  /** A UUID that nobody has. */
  newId(): string;
  /** True when the check is run again to see whether what it found is still there. */
  readonly repeating: boolean;
  /** True while only a plan is made: every reply is made up, every wait takes no time. */
  readonly planning: boolean;
}

/** One check: data and one function. Level and provenance live with the rule, skipping and exit codes with the runner. */
export interface Check<Need extends FactName = FactName, KeyName extends string = string> {
  /** Stable: area, what is done, and to what; reports, waivers and defects refer to it. */
  readonly id: string;
  readonly rule: RuleId;
  /** One sentence: what is done and what is expected. */
  readonly title: string;
  readonly needs?: readonly Need[];
  /** Operations it calls: each must exist, and a key with its scopes is needed. */
  readonly uses?: readonly OperationId[];
  readonly keys?: Readonly<Record<KeyName, KeyNeed>>;
  /** Facts whose labels it changes: checks that share one do not run at the same time. */
  readonly locks?: readonly Need[];
  /** `labels` are put back; `leftovers` cannot be, and need `--allow-leftovers`. */
  readonly writes?: 'labels' | 'leftovers';
  /** Minutes rather than seconds: only with `--slow`. */
  readonly slow?: true;
  /** `everything` judges all replies of the run and comes after it; `limits` judges the limiter and comes last of all. */
  readonly after?: 'everything' | 'limits';
  run(context: CheckContext<Need, KeyName>): Promise<void>;
}

/** Declares a check; the compiler holds it to the facts and keys that it declared. */
export function check<Need extends FactName = never, KeyName extends string = never>(
  declared: Check<Need, KeyName>,
): Check {
  // A context has all that was declared, so the narrower function can be called with the wider one.
  return declared as unknown as Check;
}

/** The part of a check's id before the first slash. */
export const areaOf = ({ id }: Pick<Check, 'id'>) => id.slice(0, id.indexOf('/'));
