import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a server process has used so far. */
export interface Usage {
  /** Seconds of processor time, all threads. */
  readonly seconds: number;
  /** Bytes resident. */
  readonly resident: number;
}

/** A server in its own process, so that only the server is measured. */
export interface ServerProcess {
  readonly url: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/**
 * Starts `serve.ts` and waits until it listens.
 * @param settings what to serve, as `serve.ts` reads it
 */
export async function startServer(settings: object): Promise<ServerProcess> {
  const child = fork(new URL('./serve.ts', import.meta.url), [JSON.stringify(settings)]);
  const ended = once(child, 'exit');
  const answer = async () => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    if (typeof message !== 'number' && message !== null) return message;
    throw new Error(`the server of ${JSON.stringify(settings)} ended with ${message}; its own error stands above`);
  };
  return {
    url: await answer(),
    // Questions are asked one after the other, because each waits for the next message.
    usage: async () => {
      child.send('usage');
      return answer();
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
