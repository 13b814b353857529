import { packageVersion } from '../spec/package-facts.ts';
import { reportOf } from './report/report-of.ts';
import type { LoadReport } from './report/report-schema.ts';
import { findK6 } from './run/find-k6.ts';
import { k6Run, keepRaw } from './run/k6-process.ts';
import { type PreparedRun, prepareRun, type RunChoices } from './run/prepare-run.ts';
import { runK6 } from './run/run-k6.ts';
import { judgeRun } from './verdict/judge-run.ts';
import { createRawReader, createRawRun, type RawRun } from './verdict/recording.ts';

interface LoadOptions extends RunChoices {
  /** Where k6's raw output is kept, if it is. */
  readonly rawFile?: string | undefined;
  /** Called when everything is checked, and before anything is sent. */
  readonly onPrepared?: (run: PreparedRun, k6: { readonly version: string }) => void | Promise<void>;
  /** Called about once a second. */
  readonly onProgress?: ((run: RawRun) => void) | undefined;
}

/**
 * Runs a scenario against a deployment with k6, and judges what k6 recorded.
 * @param target the content of a target file, before any substitution
 * @throws ConfigurationError with every reason against the run
 */
export async function runLoad(target: unknown, scenario: string, options: LoadOptions): Promise<LoadReport> {
  const { env, rawFile, onPrepared, onProgress } = options;
  const prepared = prepareRun(target, scenario, options);
  const k6 = await findK6({ env });
  await onPrepared?.(prepared, k6);
  const run = createRawRun();
  const reader = createRawReader(run, rawFile ?? 'k6');
  const keep = rawFile === undefined ? undefined : keepRaw(rawFile);
  using started = await k6Run(prepared, env);
  const ended = await runK6({
    ...started,
    k6: k6.path,
    keep,
    onRaw: reader.push,
    onTick: () => onProgress?.(run),
  });
  reader.end();
  const context = { kit: packageVersion(), scenario, target: prepared.target.baseUrl };
  return reportOf(run, judgeRun(run, prepared.plan, ended), context);
}
