import { createServer } from 'node:net';
import type { Command } from '@commander-js/extra-typings';
import type { Exchange } from '../../conformance/history/exchange.ts';
import { nodeEnvironment, PreflightError, type Target, UntrueTarget } from '../../conformance/index.ts';
import { memoryJournal } from '../../conformance/journal/write-journal.ts';
import { gather } from '../../conformance/run/run.ts';
import { findK6 } from '../../load/run/find-k6.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { loadTarget } from '../../spec/files/target.ts';
import { packageRoot } from '../../spec/package-facts.ts';
import { portNumber } from '../option-values.ts';

/** `partnerkit doctor`: says what this machine and a deployment lack. */
export const define = (command: Command) =>
  command
    .option('--target <file>', 'also check this deployment: its address, its clock, and that the target file is true')
    .option('--port <number>', 'port on which the mock will listen', portNumber, 4010)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing to do, 1 something to do, 2 usage or configuration.\n\nExample:\n  partnerkit doctor --target target.yaml',
    )
    .action(async ({ target, port, json }) => {
      const findings = await Promise.all([
        // Another Node than a supported one does not get here.
        ok('Node', process.versions.node),
        examineK6(process.env, packageRoot()),
        examinePort(port),
      ]);
      if (target !== undefined) findings.push(...(await examineTarget(loadTarget(target))));
      const width = Math.max(...findings.map(({ what }) => what.length));
      const lines = findings.map(({ state, what, text }) => `${state.padEnd(9)} ${what.padEnd(width)}  ${text}\n`);
      process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : lines.join(''));
      process.exitCode = findings.some(({ state }) => state === 'to do') ? 1 : 0;
    });

interface Finding {
  /** Only part of what partnerkit does needs what is `optional`. */
  readonly state: 'ok' | 'to do' | 'optional';
  readonly what: string;
  /** What was found, and what to do about it. */
  readonly text: string;
}

const ok = (what: string, text: string): Finding => ({ state: 'ok', what, text });
const toDo = (what: string, text: string): Finding => ({ state: 'to do', what, text });

/** Whether there is a k6. @param root the folder of the package, where `load install-k6` may have put it */
export async function examineK6(env: NodeJS.ProcessEnv, root: string): Promise<Finding> {
  try {
    const { path, version } = await findK6({ env, root });
    return ok('k6', `${version} (${path})`);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { state: 'optional', what: 'k6', text: `only partnerkit load needs it: ${error.problems.join('; ')}` };
  }
}

/** Whether the mock could listen on this port, or does already. */
export async function examinePort(port: number, host = '127.0.0.1'): Promise<Finding> {
  const what = `port ${port}`;
  const server = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (code === undefined) return ok(what, 'is free for the mock');
  if (await isOurMock(`http://${host}:${port}`)) return ok(what, `a mock of partnerkit runs: http://${host}:${port}`);
  const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
  return toDo(what, `${why}: stop the other program, or start the mock with another --port (0 chooses a free one)`);
}

async function isOurMock(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/_mock/health`, { signal: AbortSignal.timeout(3_000) });
    return reply.headers.get('content-type')?.includes('json') === true && 'journal' in (await reply.json());
  } catch {
    return false;
  }
}

/**
 * Whether the deployment of a target file can be reached, has the right time, and is described truly: what a conformance run asks first. Changes
 * nothing.
 * @param now milliseconds since 1970
 */
export async function examineTarget(
  target: Target,
  now: () => number = Date.now,
  timeout = 10_000,
): Promise<Finding[]> {
  using environment = nodeEnvironment(target);
  let clock: Finding | undefined;
  const onExchange = ({ status, headers }: Exchange) => {
    if (status !== null) clock ??= skew(headers.date, now(), target.clockSkewSeconds);
  };
  const options = { environment, journal: memoryJournal(), kit: '', rules: new Set<never>(), timeout, onExchange };
  const found = await gather(target, options).then(
    () => [ok('target', `${target.baseUrl} answers, and has the keys and records of the target file`)],
    (error) => {
      if (error instanceof PreflightError) return [toDo('target', error.message)];
      if (error instanceof UntrueTarget) return error.problems.map((problem) => toDo('target', problem));
      throw error;
    },
  );
  return [...(clock ? [clock] : []), ...found];
}

function skew(date: string | undefined, now: number, allowed: number): Finding {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return ok('clock', 'the deployment sends no Date header');
  // The Date header has whole seconds.
  const seconds = Math.round(Math.abs(now - there) / 1000);
  const words = `${seconds} s apart, ${allowed} s allowed`;
  if (seconds <= allowed + 1) return ok('clock', words);
  return toDo('clock', `${words}: correct a clock, or raise clockSkewSeconds in the target file`);
}
