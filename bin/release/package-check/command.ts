import { spawn } from 'node:child_process';

interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** In milliseconds. Two minutes by default. */
  readonly timeout?: number;
  /** The expected exit codes. Only 0 by default. */
  readonly codes?: readonly number[];
}

/**
 * Runs a program to its end.
 * @returns its standard output
 * @throws Error with its output if it ends with another exit code
 */
export function runCommand(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { cwd, env, timeout = 120_000, codes = [0] } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      timeout,
      // npm sometimes waits forever for a registry, and ignores SIGTERM.
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code !== null && codes.includes(code)) resolve(out);
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${signal ?? code}:\n${out}\n${err}`));
    });
  });
}
