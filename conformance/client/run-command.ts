import { spawn } from 'node:child_process';
import type { Command, CommandResult } from '../hooks/command.ts';

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
