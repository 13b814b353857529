import { spawn } from 'node:child_process';
import type { HookName } from '../../spec/files/hooks.ts';
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
 * Runs a command in the shell, with its input on stdin. A command that takes too long or prints too much is killed with its children.
 * @returns never rejects. A command cannot be started when a value from an earlier command is too long for a variable or contains NUL
 */
export const runCommand = (command: Command): Promise<CommandResult> =>
  started(command).catch(({ code }: NodeJS.ErrnoException) => {
    const why = code === 'E2BIG' ? 'its input is too long' : 'its input holds a character that no variable may have';
    return { stdout: '', stderr: '', problem: `the command cannot be started: ${why}` };
  });

function started({ line, input, variables, timeoutMilliseconds }: Command): Promise<CommandResult> {
  return new Promise((resolve) => {
    // The shell runs in a process group of its own, so that its child processes can be ended with it.
    const hasGroup = process.platform !== 'win32';
    const child = spawn(line, { shell: true, detached: hasGroup, env: { ...process.env, ...variables } });
    const texts = { stdout: '', stderr: '' };
    let problem: string | null = null;
    const end = (why: string) => {
      problem ??= why;
      try {
        if (hasGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // The command has ended already.
      }
    };
    const timer = setTimeout(() => end(`not done within ${timeoutMilliseconds} ms`), timeoutMilliseconds);
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (piece: string) => {
        texts[name] += piece;
        if (texts[name].length > maxOutput) end(`the command printed more than ${maxOutput} bytes`);
      });
    // A command that does not read its input closes the pipe, which is no error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', ({ message }) => {
      problem ??= message;
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ ...texts, problem: problem ?? (code === 0 ? null : `exit code ${code}`) });
    });
  });
}
