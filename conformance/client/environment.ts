import type { Command, CommandResult } from '../hooks/command.ts';
import type { HttpReply, HttpRequest } from './http.ts';

/** How a request is sent. */
export interface Sending {
  readonly timeoutMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Over a connection that no other request uses. */
  readonly alone?: boolean;
  /** The baseUrl of the deployment whose reply named this URL. The URL must lead to an address that this deployment may name. */
  readonly namedBy?: string | undefined;
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
