import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooSlow } from '../request/body-too-slow.ts';

/** How long a client may take for its body, in milliseconds. */
export interface BodyTimeouts {
  /** From one piece to the next. */
  readonly idle: number;
  /** All in all. */
  readonly whole: number;
}

/** The body of a request, piece by piece; a client that is too slow ends it with `BodyTooSlow`, and its connection with the reply. */
export function timedBody(
  message: IncomingMessage,
  response: ServerResponse,
  { idle, whole }: BodyTimeouts,
): AsyncIterator<Uint8Array, undefined> {
  // When reading stops half-way, the reply still has to be sent over this socket.
  const pieces = message.iterator({ destroyOnReturn: false });
  const until = performance.now() + whole;
  const silence = `nothing came for ${idle / 1000} seconds`;
  const tooLong = `it took longer than ${whole / 1000} seconds`;
  const givenUp = (why: string) => {
    // On a kept connection the rest of this body could not be told from the next request.
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
        pieces
          .next()
          .finally(() => clearTimeout(timer))
          .then(resolve, reject);
      });
    },
    return: async () => {
      await pieces.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** The same for a body that somebody else reads: its connection ends where nothing comes for so many milliseconds. */
export function endWhenIdle(message: IncomingMessage, milliseconds: number): void {
  message.setTimeout(milliseconds, () => message.destroy());
  message.once('end', () => message.setTimeout(0));
}
