/** A program that judges deployments, and what it complained of. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Target } from '../../../spec/files/target.ts';

/** A deployment that listens, and what may be known of it. */
export interface Served {
  readonly url: string;
  /** A key with every scope. */
  readonly key: string;
  /** Files of our OpenAPI document, with examples and links: as it is, and in the words of OpenAPI 3.0. */
  readonly document: string;
  readonly document30: string;
  /** A collection for Postman with a request for each operation and the ids of this deployment. */
  readonly collection: string;
  readonly target: Target;
  /** The same as the mock serves it. */
  readonly targetFile: string;
  /** A folder for files of its own. */
  readonly folder: string;
}

/** What a tool says is wrong. The same fault gets the same words in each run. */
export interface Complaint {
  /** `PUT /v1/site/{id}/label/{labelId}`, or another name of a request. */
  readonly at: string;
  readonly what: string;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** How it was set up, and how it judges. */
  readonly how: string;
  /** What it cannot see by design, said first and in its favour. */
  readonly blind: string;
  /** Whether it knows how to wait for a limiter. Others meet none, except in the defects of limiters. */
  readonly waits: boolean;
  judge(served: Served, seed: number): Promise<readonly Complaint[]>;
}

/**
 * Runs a program of a tool.
 * @param minutes after which it has not judged
 * @returns its standard output
 * @throws Error with its output if it ends with another code than 0 and 1, which means that it did not judge
 */
export async function runTool(
  program: string,
  args: readonly string[],
  {
    cwd,
    env,
    codes = [0, 1],
    minutes = 10,
  }: {
    readonly cwd: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly codes?: readonly number[];
    readonly minutes?: number;
  },
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
  });
  const said: Buffer[] = [];
  child.stdin.end();
  child.stdout.on('data', (bytes) => said.push(bytes));
  child.stderr.on('data', (bytes) => said.push(bytes));
  const [code, signal] = await once(child, 'close');
  const text = Buffer.concat(said).toString();
  if (codes.includes(code)) return text;
  throw new Error(`${program} ended with ${signal ?? code}:\n${text.slice(-2_000)}`);
}
