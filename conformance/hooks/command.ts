import type { HookName } from '../../spec/files/hooks.ts';
import { runInGroup } from '../../spec/process-group.ts';
import type { HookCall } from '../history/hook-call.ts';

/** A hook of the target file, ready to run. */
export interface Command {
  readonly line: string;
  /** For stdin. */
  readonly input: string;
  /** Added to the environment of this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
}

/** What a hook printed, and whether it failed. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Why the command failed; null where it succeeded. */
  readonly problem: string | null;
}

/** The command with its input, both as JSON and as variables: `PARTNERKIT_RECORD=conversation/c1`. */
export function commandOf(
  hook: HookName,
  line: string,
  baseUrl: string,
  input: HookCall['input'],
  timeoutMilliseconds: number,
): Command {
  const all: HookCall['input'] = { hook, baseUrl, ...input };
  const variables = Object.entries(all).map(([name, value]) => [
    `PARTNERKIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
    typeof value === 'object' ? value.join(' ') : String(value),
  ]);
  return { line, input: JSON.stringify(input), variables: Object.fromEntries(variables), timeoutMilliseconds };
}

/** A hook call in words: `revokeKey of acme: name check-1`. */
export const callWords = ({ hook, tenant, input }: Pick<HookCall, 'hook' | 'tenant' | 'input'>): string =>
  `${hook} of ${tenant}: ${Object.entries(input)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`;

/** Bytes. A command that prints more is killed. */
const maxOutput = 1_000_000;

/**
 * Runs a command in the shell, with its input on stdin. A command that takes too long or prints too much is ended with its children.
 * @returns never rejects. A command cannot be started when a value from an earlier command is too long for a variable or contains NUL
 */
export async function runCommand({
  line,
  input,
  variables,
  timeoutMilliseconds: timeout,
}: Command): Promise<CommandResult> {
  const printed = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const tooMuch = new AbortController();
  const { code, signal, timedOut, error } = await runInGroup([line], {
    ...{ shell: true, env: { ...process.env, ...variables }, input, timeout, signal: tooMuch.signal },
    onOutput(piece, stream) {
      printed[stream] = Buffer.concat([printed[stream], piece]);
      if (printed[stream].length > maxOutput) tooMuch.abort();
    },
  });
  const problems = [
    error && `the command cannot be started: ${error.message}`,
    timedOut && `not done within ${timeout} ms`,
    tooMuch.signal.aborted && `the command printed more than ${maxOutput} bytes`,
    code !== 0 && `exit code ${code ?? signal}`,
  ];
  const problem = problems.find((one) => typeof one === 'string') ?? null;
  return { stdout: printed.stdout.toString(), stderr: printed.stderr.toString(), problem };
}
