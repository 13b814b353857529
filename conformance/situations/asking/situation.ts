import type { HookName } from '../../../spec/files/hooks.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Credential, Exchange } from '../../history/exchange.ts';
import type { HookValue } from '../../hooks/hook-call.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { KeyOfTenant } from '../../target/keys.ts';

/** A request to send. */
export interface Ask {
  readonly operation: OperationId;
  /** Path parameters by their names in the contract. */
  readonly params?: Readonly<Record<string, string>>;
  /** By default, the fitting key of the tenant under test with the most scopes. */
  readonly key?: KeyOfTenant;
  /** How the key is sent. By default, in x-api-key. */
  readonly credential?: Credential;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  /** Replaces headers of the request; null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Percent-encodes the first letter of each id in the path, which does not change what the path means. */
  readonly encoded?: true;
  /** Appended to the path. Starts with a question mark. */
  readonly query?: string;
  /** Replaces the method of the operation. A request with another method or path belongs to no operation, unless it has a `twist`. */
  readonly method?: string;
  readonly path?: string;
  /** What is unusual about the request, such as `body/additional-property`. Laws recognise it by this. */
  readonly twist?: string;
  /** Sends the body in chunks, without Content-Length. */
  readonly chunked?: boolean;
  /** A write of a label that undoes an earlier change, so it is not undone itself when the situation ends. */
  readonly stays?: true;
  /** The record has the label already, so applying it must change nothing. If the deployment removes it, it is applied again. */
  readonly carried?: true;
  /** Awaited just before the request is sent, so that requests of several keys are sent at the same time. */
  readonly barrier?: () => Promise<unknown>;
  /** Sent once and without waiting for the pacer, to measure the limiter. */
  readonly unpaced?: true;
}

/** Bytes for an upload URL. */
export interface Put {
  /** The Content-Type header; null for none. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
  /** Changes the signature in the URL: the twist is `signature/altered`. With another start, the URL has the query of that upload: `signature/of-another`. */
  readonly tampered?: true | Exchange;
}

/** The actions of a situation. They expect no particular reply: a refusal, a 5xx and a lost reply are all evidence. */
export interface Scene {
  readonly deployment: Deployment;
  /**
   * Sends a request at the pace of its key. Repeats it after 429, 502, 503, 504 or a lost connection if that is safe. Each try is in
   * the history. A write of labels is journaled first, and undone when the situation ends.
   * @returns the last try
   * @throws Stopped when the run ends
   */
  send(ask: Ask): Promise<Exchange>;
  /**
   * Sends bytes to the upload URL in the reply to a start, without a key. Exchanges are redacted, so only the client knows the URL.
   * @returns the last try; null if the start gave no URL, or if its signature cannot be changed
   */
  put(start: Exchange, put: Put): Promise<Exchange | null>;
  /**
   * Runs a hook for the tenant under test. If the action can be undone, it is undone when the situation ends.
   * @returns the parsed JSON output of the command
   * @throws Stopped if the command fails
   */
  hook(name: HookName, input: Readonly<Record<string, HookValue>>): Promise<unknown>;
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
  /** A UUID that no record has. */
  newId(): string;
  /** Whether the replies so far surely break this rule, so that nothing more needs to be sent to show that. */
  fails(rule: RuleId): boolean;
  /** True while the run is only planned, with invented replies. */
  readonly planning: boolean;
}

/** What a situation is for and what it needs. */
export interface SituationFacts {
  /** Never renamed. The kind, the action and the record, such as `labels/life/closed-conversation`. */
  readonly id: string;
  /** One sentence about what is done. */
  readonly title: string;
  /** Rules that get evidence from it. Other laws judge its exchanges as well. */
  readonly feeds: readonly RuleId[];
  /** Operations that it needs. */
  readonly uses: readonly OperationId[];
  /** Hooks that it needs. It runs only with `--allow-hooks`. */
  readonly hooks?: readonly HookName[];
  /** The `holderKey`s of the records whose labels it writes. Situations with a common lock do not run at the same time. */
  readonly locks?: readonly string[];
  /** `labels` are restored. `leftovers` cannot be removed and need `--allow-leftovers`. On a wrong deployment, `risk` may lose data for good; it needs `--allow-risk`. */
  readonly writes?: 'labels' | 'leftovers' | 'risk';
  /** Takes minutes. It runs only with `--slow`. */
  readonly slow?: true;
  /** It runs only with `--deep`. */
  readonly deep?: true;
  /** Measures the limiter with the key for this purpose: `first`, before all other situations, or `parallel` to them. */
  readonly limits?: 'first' | 'parallel';
}

/** Brings the deployment into a state that is worth judging, and sends requests. It contains no expectations. */
export interface Situation extends SituationFacts {
  run(scene: Scene): Promise<void>;
}

/** A situation for which the target file lacks fields. */
export interface Wanting {
  readonly id: string;
  readonly feeds: readonly RuleId[];
  readonly missing: readonly string[];
}

/** Generates the situations of one kind, and those for which the target file lacks fields. */
export type Generate = (deployment: Deployment) => Iterable<Situation | Wanting>;

/** The run ends. From then on, requests are sent only to restore labels. */
export class Stopped extends Error {}
