import type { HookName } from '../../spec/files/hooks.ts';
import type { Ask, Put } from '../client/ask.ts';
import type { Exchange } from '../history/exchange.ts';
import type { HookValue } from '../history/hook-call.ts';
import type { Exposures } from '../journal/exposures.ts';
import type { Deployment } from '../target/deployment.ts';
import type { RunState } from './bench.ts';

/** The actions of a script. They expect no particular reply: a refusal, a 5xx and a lost reply are all evidence. */
export interface Scene {
  readonly deployment: Deployment;
  /**
   * Sends a request at the pace of its key. Repeats it after 429, 502, 503, 504 or a lost connection if that is safe. Each try is in
   * the history. A write of labels is journaled first, and undone when the script ends.
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
   * Runs a hook for the tenant under test. If the action can be undone, it is undone when the script ends.
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
  /** True while the run is only planned, with invented replies. */
  readonly planning: boolean;
  /** How often the labels of a record were written so far. */
  readonly exposures: Exposures;
  /** Settles when the script has ended, perhaps in the middle of what it did. */
  readonly over: Promise<null>;
  /** What all scripts of this run share. */
  readonly state: RunState;
}
