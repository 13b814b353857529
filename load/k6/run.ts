import exec from 'k6/execution';
import { substituteEnvironment } from '../../spec/files/environment.ts';
import type { RunFile } from '../run-file.ts';
import { stopped } from './metrics.ts';

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
