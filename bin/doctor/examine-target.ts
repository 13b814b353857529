import { createClient } from '../../conformance/client/client.ts';
import { uuidFrom } from '../../conformance/client/environment.ts';
import { nodeEnvironment, PreflightError, type Target, UntrueTarget } from '../../conformance/index.ts';
import { preflight } from '../../conformance/run/preflight.ts';
import { deploymentOf } from '../../conformance/target/deployment.ts';
import { redactionOf } from '../../conformance/target/secrets.ts';
import { type Finding, ok, toDo } from './examine-machine.ts';

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
  const deployment = deploymentOf(target);
  using environment = nodeEnvironment(target);
  let clock: Finding | undefined;
  const client = createClient({
    deployment,
    environment,
    redaction: redactionOf(target),
    timeout,
    record: ({ status, headers }) => {
      if (status !== null) clock ??= skew(headers.date, now(), target.clockSkewSeconds);
    },
  });
  const newId = () => uuidFrom(environment.random);
  try {
    await preflight(deployment, { newId, send: (ask) => client.send(ask, { script: 'doctor' }) });
  } catch (error) {
    if (error instanceof PreflightError) return [toDo('target', error.message)];
    if (!(error instanceof UntrueTarget)) throw error;
    return [...(clock ? [clock] : []), ...error.problems.map((problem) => toDo('target', problem))];
  }
  const found = ok('target', `${target.baseUrl} answers, and has the keys and records of the target file`);
  return [found, ...(clock ? [clock] : [])];
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
