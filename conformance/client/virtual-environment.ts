import { seededRandom } from '../../spec/random.ts';
import type { Command, CommandResult } from '../hooks/command.ts';
import type { Environment } from './environment.ts';
import { type HttpReply, type HttpRequest, TransportError } from './http.ts';

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

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** An environment in virtual time: as soon as every task waits, the clock jumps to the next wake-up. */
export function virtualEnvironment(options: VirtualOptions): Environment {
  const random = seededRandom(options.seed);
  const sleepers: Sleeper[] = [];
  let now = options.startsAt ?? Date.UTC(2026, 0, 1);
  let order = 0;
  let awake = false;

  const step = () => {
    const next = sleepers.shift();
    awake = next !== undefined;
    if (next === undefined) return;
    now = Math.max(now, next.at);
    next.wake();
    // The woken task runs until it waits again; then time moves on.
    setImmediate(step);
  };

  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const sleeper = { at: now + Math.max(0, milliseconds), order: order++, wake: resolve };
      const index = sleepers.findIndex((other) => other.at > sleeper.at);
      sleepers.splice(index < 0 ? sleepers.length : index, 0, sleeper);
      signal?.addEventListener('abort', () => resolve(), { once: true });
      if (!awake) {
        awake = true;
        setImmediate(step);
      }
    });

  return {
    now: () => now,
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
      const arrived = now + there;
      await sleep(there, signal);
      const reply = await options.answer(request);
      // A deployment may hold the reply back.
      if (there + (now - arrived) + back > timeoutMilliseconds) throw late();
      await sleep(back, signal);
      return reply;
    },
  };
}
