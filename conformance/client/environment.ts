import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Command, CommandResult } from '../hooks/command.ts';
import type { HttpReply, HttpRequest } from './http.ts';

/** How a request is sent. */
export interface Sending {
  readonly timeoutMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** The baseUrl of the deployment whose reply named this URL. The URL must lead to an address that this deployment may name. */
  readonly namedBy?: string | undefined;
  /** What is asked, and the operation that is meant where it goes to another path: for an environment that makes up replies. */
  readonly about?: Pick<Exchange, 'operation' | 'facts' | 'key' | 'params'> & {
    readonly meant: OperationId | 'storage';
  };
}

/** Clock, randomness, network and shell of a run. A virtual environment runs without a network, in virtual time, from a seed. */
export interface Environment {
  /** Milliseconds since the epoch, with fractions. Never goes back. */
  now(): number;
  /** Resolves after that many milliseconds; at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
  /**
   * Sends one request and waits for the whole reply.
   * @throws TransportError when no reply came
   */
  send(request: HttpRequest, options: Sending): Promise<HttpReply>;
  /** Runs a command to its end. Never rejects. */
  command(command: Command): Promise<CommandResult>;
}

/** Milliseconds. A time since the epoch in milliseconds has fractions down to a quarter of a microsecond. */
const tick = 0.001;

/** The clock without equal readings, so that times tell the order of events even where nothing takes time. */
export function distinctClock(now: () => number): () => number {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.max(now(), last + tick);
    return last;
  };
}

/** A UUID of version 4 from a seeded source of randomness, which crypto.randomUUID does not allow. */
export const uuidFrom = (random: () => number): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (Math.floor(random() * 16) & (15 >> (Number(digit) / 4)))).toString(16),
  );

/** Virtual time: as soon as every task waits, the clock jumps to the next wake-up. */
export function virtualClock(): Pick<Environment, 'now' | 'sleep'> {
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  let now = Date.UTC(2026, 0, 1);
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
  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) return resolve();
        const at = now + Math.max(0, milliseconds);
        const index = sleepers.findIndex((other) => other.at > at);
        sleepers.splice(index < 0 ? sleepers.length : index, 0, { at, wake: resolve });
        signal?.addEventListener('abort', () => resolve(), { once: true });
        if (awake) return;
        awake = true;
        setImmediate(step);
      }),
  };
}
