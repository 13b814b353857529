import { seededRandom } from '../../../spec/random.ts';
import type { Environment } from '../../client/environment.ts';
import { type HttpReply, type HttpRequest, TransportError } from '../../client/http.ts';
import { virtualClock } from '../../client/virtual-clock.ts';
import type { Command, CommandResult } from '../../hooks/command.ts';

export interface VirtualOptions {
  /** Answers without taking time; only `latency` takes time. */
  readonly answer: (request: HttpRequest) => HttpReply | Promise<HttpReply>;
  readonly seed: number;
  /** Milliseconds one way, drawn anew for each way of each request. */
  readonly latency?: (random: () => number) => number;
  /** Whether the connection of this request drops before anything is sent. */
  readonly drops?: (random: () => number) => boolean;
  /** Runs commands. By default every command fails. */
  readonly command?: (command: Command) => CommandResult | Promise<CommandResult>;
  /** Where virtual time starts, in ms since the epoch. */
  readonly startsAt?: number;
}

const commandMilliseconds = 50;

/** An environment in virtual time. */
export function virtualEnvironment(options: VirtualOptions): Environment {
  const random = seededRandom(options.seed);
  const { now, sleep } = virtualClock(options.startsAt);
  return {
    now,
    sleep,
    async command(command) {
      await sleep(commandMilliseconds);
      return options.command?.(command) ?? { stdout: '', stderr: '', problem: 'there are no commands here' };
    },
    random,
    async send(request, { timeoutMilliseconds, signal }) {
      if (signal?.aborted) throw new TransportError('aborted', 'aborted');
      const latency = () => options.latency?.(random) ?? 0;
      const [there, back] = [latency(), latency()];
      if (options.drops?.(random)) {
        await sleep(there, signal);
        throw new TransportError('reset', 'connection reset');
      }
      const late = () => new TransportError('timeout', `no reply within ${timeoutMilliseconds} ms`);
      if (there + back > timeoutMilliseconds) {
        await sleep(Math.min(there, timeoutMilliseconds), signal);
        if (there < timeoutMilliseconds) {
          await options.answer(request);
          await sleep(timeoutMilliseconds - there, signal);
        }
        throw late();
      }
      const arrived = now() + there;
      await sleep(there, signal);
      const reply = await options.answer(request);
      // A deployment may hold the reply back.
      if (there + (now() - arrived) + back > timeoutMilliseconds) throw late();
      await sleep(back, signal);
      return reply;
    },
  };
}
