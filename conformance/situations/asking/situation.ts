import type { HookName } from '../../../spec/files/hooks.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Credential, Exchange } from '../../history/exchange.ts';
import type { HookValue } from '../../hooks/hook-call.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { KeyOfTenant } from '../../target/keys.ts';

/** One request to send. */
export interface Ask {
  readonly operation: OperationId;
  /** Path parameters by the contract's names. */
  readonly params?: Readonly<Record<string, string>>;
  /** The widest fitting key of the tenant under test by default. */
  readonly key?: KeyOfTenant;
  /** How the key is shown: in x-api-key by default. */
  readonly credential?: Credential;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
  /** In place of those that would be sent; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Added to the path, with its question mark. */
  readonly query?: string;
  /** In place of the operation's own. A request with another path or method is of no operation unless `twist` says otherwise. */
  readonly method?: string;
  readonly path?: string;
  /** What is unusual about the request, for laws to recognise it by: `body/additional-property`. */
  readonly twist?: string;
  /** Sends the body in chunks, without announcing its length. */
  readonly chunked?: boolean;
  /** A write of a label that is not undone when its situation ends: it puts right what was changed before. */
  readonly stays?: true;
  /** The label is carried already, so that applying it changes nothing: a wrong deployment that takes it off is made to put it on again. */
  readonly carried?: true;
  /** Waited for when the request may leave, so that requests of several keys leave at once. */
  readonly meets?: () => Promise<unknown>;
  /** Past the pacer and sent once: for measurements of the limiter. */
  readonly unpaced?: true;
}

/** Bytes for an upload URL. */
export interface Put {
  /** As the Content-Type header; null sends none. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
  /** Alters the URL's signature. Such a PUT has the twist `signature/altered`. */
  readonly tampered?: true;
}

/** What a running situation can do. Nothing here expects anything: a refusal, a 5xx and a lost reply are all evidence. */
export interface Scene {
  readonly deployment: Deployment;
  /**
   * Sends a request, paced, and again after 429, 502, 503, 504 or a lost connection where that is safe; each try is in the history.
   * A write of labels is journaled first and undone when the situation ends.
   * @returns the last try
   * @throws Stopped when the run ends
   */
  send(ask: Ask): Promise<Exchange>;
  /**
   * PUTs bytes to the upload URL that a start gave, without a key. Exchanges are redacted, so that only the client knows the URL.
   * @returns the last try; null where the start gave no URL, or one without a signature that could be altered
   */
  put(start: Exchange, put: Put): Promise<Exchange | null>;
  /**
   * Has something done inside the product, for the tenant under test, and undone when the situation ends where that can be.
   * @returns what the command printed, as JSON
   * @throws Stopped when it fails
   */
  hook(name: HookName, input: Readonly<Record<string, HookValue>>): Promise<unknown>;
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
  /** A UUID that nobody has. */
  newId(): string;
  /** True while only a plan is made: replies are made up. */
  readonly planning: boolean;
}

/** Brings the deployment into a state worth judging and sends requests; it contains no expectations. */
export interface Situation {
  /** Stable: kind, what is done, to what: `labels/life/closed-conversation`. */
  readonly id: string;
  /** One sentence: what is done. */
  readonly title: string;
  /** Rules that get evidence from it; laws look at it whatever it was meant for. */
  readonly feeds: readonly RuleId[];
  /** Operations without which it makes no sense. */
  readonly uses: readonly OperationId[];
  /** Commands without which it makes no sense: only with `--allow-hooks`. */
  readonly hooks?: readonly HookName[];
  /** Situations that share one do not run at the same time: `holderKey`s of the holders whose labels it writes. */
  readonly locks?: readonly string[];
  /** `labels` are put back; `leftovers` cannot be, and need `--allow-leftovers`; `risk` may lose something for good on a wrong deployment, and needs `--allow-risk`. */
  readonly writes?: 'labels' | 'leftovers' | 'risk';
  /** Minutes rather than seconds: only with `--slow`. */
  readonly slow?: true;
  /** Only with `--deep`. */
  readonly deep?: true;
  /** Measures the limiter of the key that is kept for it: `first`, before everything else, or `beside` it. */
  readonly limits?: 'first' | 'beside';
  run(scene: Scene): Promise<void>;
}

/** A situation that the target file does not allow for, with the fields that are missing. */
export interface Wanting {
  readonly id: string;
  readonly feeds: readonly RuleId[];
  readonly missing: readonly string[];
}

/** Makes the situations of one kind that this target file allows for, and names those that it does not. */
export type Generate = (deployment: Deployment) => Iterable<Situation | Wanting>;

/** The run ends: nothing more is sent, but to restore. */
export class Stopped extends Error {}
