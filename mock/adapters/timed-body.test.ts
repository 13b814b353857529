import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BodyTooSlow } from '../request/read-body.ts';
import { timedBody } from './timed-body.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function body() {
  const stream = new PassThrough();
  const response = { shouldKeepAlive: true } as ServerResponse;
  // All that is asked of the message is to be iterated.
  const message = stream as unknown as IncomingMessage;
  return { stream, response, pieces: timedBody(message, response, { idle: 1_000, whole: 3_000 }) };
}

describe('a body with a time-out', () => {
  it('is given up when nothing comes', async () => {
    const { stream, response, pieces } = body();
    stream.write('a');
    expect(String((await pieces.next()).value)).toBe('a');
    const next = pieces.next();
    const refused = expect(next).rejects.toThrow(new BodyTooSlow('nothing came for 1 seconds'));
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    expect(response.shouldKeepAlive).toBe(false);
  });

  it('is given up when it goes on for too long, however steadily', async () => {
    const { stream, pieces } = body();
    for (let second = 0; second < 3; second++) {
      const next = pieces.next();
      await vi.advanceTimersByTimeAsync(900);
      stream.write('a');
      expect(String((await next).value)).toBe('a');
    }
    const last = expect(pieces.next()).rejects.toThrow(new BodyTooSlow('it took longer than 3 seconds'));
    await vi.advanceTimersByTimeAsync(300);
    await last;
    await expect(pieces.next()).rejects.toThrow(BodyTooSlow);
  });

  it('is read whole if it comes in time, and leaves no timer behind', async () => {
    const { stream, response, pieces } = body();
    stream.end('all');
    expect(String((await pieces.next()).value)).toBe('all');
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
    expect([vi.getTimerCount(), response.shouldKeepAlive]).toEqual([0, true]);
  });
});
