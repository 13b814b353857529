import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { substituteEnvironment } from '../../spec/files/environment.ts';
import type { RunFile } from '../run/prepare-run.ts';
import type { RunKey } from '../run-file.ts';

if (!__ENV.RUN)
  throw new Error('start this with "partnerkit load run", or from an archive of "partnerkit load archive"');
const { value, missing } = substituteEnvironment(JSON.parse(open(__ENV.RUN)), __ENV);

/** What this run does. Placeholders without a value are left, because packing an archive needs no secrets. */
export const run = value as RunFile;

let isAborted = false;

/** Ends the whole run, for every VU. The raw output has the reason, with its code. */
export function abort(code: string, text: string): never {
  if (!isAborted) stopped.add(1, { code, text });
  isAborted = true;
  exec.test.abort(text);
  throw new Error(text);
}

/** A step of a journey that ends the run unless every variable of the target is set, and when it fails: k6 would only log that. */
export const guarded =
  <B, R>(step: (before: B) => Promise<R>) =>
  async (before: B): Promise<R> => {
    const names = [...new Set(missing.map(({ name }) => name))].join(', ');
    if (names !== '')
      abort('variable-not-set', `set ${names} in the environment of k6: the target takes them from there`);
    try {
      return await step(before);
    } catch (error) {
      return abort('script-failed', error instanceof Error ? error.message : String(error));
    }
  };

/** Waits without blocking: `sleep` of k6 would stop every request of this VU. Milliseconds. */
export const pause = (ms: number): Promise<void> =>
  ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));

// Raw output carries these points; `verdict/recording.ts` reads them by these names.

const started = new Counter('load_key');
const ended = new Counter('load_end');
/** A 429 that is not as documented; tags `rule` and `seen`. */
export const malformed = new Counter('load_malformed_429');
/** The Retry-After of a 429 that is waited for; tags `trial` and `text`. */
export const retryAfter = new Counter('load_retry_after');
/** Requests that could not be sent near their time. */
export const dropped = new Counter('load_dropped');
/** One check of a rule; the tag `seen` says what was wrong. */
export const checked = new Counter('load_check');
/** Requests that show nothing of a rule; the tag `seen` says why. */
export const undecided = new Counter('load_undecided');
/** Why the run was ended early; tags `code` and `text`. */
const stopped = new Counter('load_stopped');

/** Driving a key begins. */
export const keyStarted = (scenario: string, { label, limit }: RunKey, position: number): void =>
  started.add(1, {
    scenario_name: scenario,
    key: label,
    per_second: String(limit.perSecond),
    burst: String(limit.burst),
    position: String(position),
  });

/** The plan of a key was carried out to its end. */
export const keyEnded = ({ label }: RunKey): void => ended.add(1, { key: label });

/** What k6 runs of a scenario. `Before` is what `setup` hands on to the others; k6 carries it as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each journey knows its own.
export interface Journey<Before = any> {
  readonly vus: number;
  setup?(): Promise<Before>;
  drive(before: Before): Promise<void>;
  /** Cleans up at the end of a run, after an interruption too. */
  teardown?(before: Before): Promise<void>;
}
