import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { DrawSettings } from '../traffic/draw-targets.ts';
import type { Target } from '../traffic/fire.ts';

/** What a server process has used so far. */
export interface Usage {
  /** Seconds of processor time, all threads. */
  readonly seconds: number;
  /** Bytes resident, and bytes of objects in use with the buffers that they hold outside of the heap. */
  readonly resident: number;
  readonly heap: number;
}

/** A server in its own process, so that only the server is measured. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  usage(options?: { collect?: boolean }): Promise<Usage>;
  /** Requests to conversations drawn from all that a mock has. */
  draw(settings: DrawSettings): Promise<readonly Target[]>;
  /** Clones the one tenant that a mock has, so often. @returns milliseconds of one */
  clone(times: number): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts `serve.ts` and waits until it listens.
 * @param settings what to serve, as `serve.ts` reads it
 */
export async function startServer(settings: object, execArgv: readonly string[] = []): Promise<ServerProcess> {
  const child = fork(new URL('./serve.ts', import.meta.url), [JSON.stringify(settings)], {
    execArgv: ['--expose-gc', ...execArgv],
  });
  // Answers come in the order of the questions.
  const asked: { readonly resolve: (answer: never) => void; readonly reject: (error: Error) => void }[] = [];
  child.on('message', (message) => asked.shift()?.resolve(message as never));
  child.on('exit', (code) => {
    const error = new Error(`the server of ${JSON.stringify(settings)} ended with ${code}; its own error stands above`);
    for (const { reject } of asked.splice(0)) reject(error);
  });
  const answer = <T>() => new Promise<T>((resolve, reject) => asked.push({ resolve, reject }));
  const url = await answer<string>();
  return {
    url,
    pid: child.pid ?? 0,
    usage: ({ collect = false } = {}) => {
      const usage = answer<Usage>();
      child.send({ collect });
      return usage;
    },
    draw: (draw) => {
      const targets = answer<readonly Target[]>();
      child.send({ draw });
      return targets;
    },
    clone: (clone) => {
      const took = answer<number>();
      child.send({ clone });
      return took;
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
