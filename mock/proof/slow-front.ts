import { setTimeout as sleep } from 'node:timers/promises';
import { createMock, type Mock } from '../index.ts';
import { wholeBody } from '../message.ts';

export type Step = 'arrived' | 'done';

/**
 * A mock that delays writes, and reports each write before and after it is executed.
 * @param delay milliseconds before each write is executed, even if its sender has gone
 * @param onWrite called with the number of writes so far, including this one
 */
export async function slowFront(delay: number, onWrite: (write: number, step: Step) => void) {
  let writes = 0;
  const around: NonNullable<Mock['wrong']>['around'] =
    ({ handle }) =>
    async (request, trace) => {
      if (request.method === 'GET') return handle(request, trace);
      const pieces = await Array.fromAsync(request.body ?? []);
      const write = ++writes;
      onWrite(write, 'arrived');
      await sleep(delay);
      const reply = await handle({ ...request, body: request.body && wholeBody(Buffer.concat(pieces)) }, trace);
      onWrite(write, 'done');
      return reply;
    };
  const mock = await createMock({ rateLimit: false, wrong: { id: 'slow', does: 'is slow', around } });
  const { url } = await mock.listen({ port: 0 });
  return { mock, url, [Symbol.asyncDispose]: () => mock.close() };
}
