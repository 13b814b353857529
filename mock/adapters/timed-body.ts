import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooSlow } from '../request/read-body.ts';

/** How long a client may take for its body, in milliseconds. */
export interface BodyTimeouts {
  /** From one chunk to the next. */
  readonly idle: number;
  /** For the whole body. */
  readonly whole: number;
}

/** The body of a request in chunks. If the client is too slow, it ends with `BodyTooSlow`, and the connection is closed after the reply. */
export function timedBody(
  message: IncomingMessage,
  response: ServerResponse,
  { idle, whole }: BodyTimeouts,
): AsyncIterator<Uint8Array, undefined> {
  // If reading stops half-way, the reply must still be sent over this socket.
  const chunks = message.iterator({ destroyOnReturn: false });
  const until = performance.now() + whole;
  const silence = `nothing came for ${idle / 1000} seconds`;
  const tooLong = `it took longer than ${whole / 1000} seconds`;
  const givenUp = (why: string) => {
    // On a reused connection, the rest of this body would be taken for the next request.
    response.shouldKeepAlive = false;
    return new BodyTooSlow(why);
  };
  return {
    next() {
      const left = until - performance.now();
      if (left <= 0) return Promise.reject(givenUp(tooLong));
      return new Promise((resolve, reject) => {
        const [allowed, why] = left < idle ? [left, tooLong] : [idle, silence];
        const timer = setTimeout(() => reject(givenUp(why)), allowed);
        chunks
          .next()
          .finally(() => clearTimeout(timer))
          .then(resolve, reject);
      });
    },
    return: async () => {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** Closes the connection of a body that others read, if nothing arrives for this many milliseconds. */
export function endWhenIdle(message: IncomingMessage, milliseconds: number): void {
  message.setTimeout(milliseconds, () => message.destroy());
  message.once('end', () => message.setTimeout(0));
}
