import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createClock, createMock } from '../index.ts';
import { formOf, type ShownRequest, shownIn } from './shown.ts';
import { wrong, wrongWays } from './wrong.ts';

const exactly = new TextDecoder('utf-8', { ignoreBOM: true });

/** The forms of the replies to the last request, which may be sent several times. */
async function lastReplies(requests: readonly ShownRequest[], id?: string): Promise<ReadonlySet<string>> {
  // Time stands still, or a slow machine would be throttled less.
  const clock = createClock(() => Date.UTC(2026, 0, 1));
  await using mock = await createMock({ clock, journal: false, ...(id && { wrong: wrong(id) }) });
  const { url } = await mock.listen({ port: 0 });
  let forms = new Set<string>();
  for (const { method, path, headers, body, times = 1 } of requests) {
    forms = new Set();
    for (let i = 0; i < times; i++) {
      const sent = { method, headers, ...(body !== undefined && { body }) };
      const reply = await fetch(`${url}${path}`, sent).catch(() => null);
      const bytes = await reply?.arrayBuffer().catch(() => null);
      forms.add(reply && bytes ? formOf(reply.status, reply.headers, exactly.decode(bytes)) : 'no reply');
    }
  }
  return forms;
}

const shown = await shownIn();
const inCurl = Object.entries(shown).filter(([, { requests }]) => requests.length > 0);

describe('ways of being wrong', () => {
  it('are all told, as what a client sees', () => {
    expect(Object.keys(shown).sort()).toEqual(wrongWays.map(({ id }) => id).sort());
    expect(inCurl.length).toBeGreaterThan(0.75 * wrongWays.length);
  });

  it('are seen without a key only where none was sent', () => {
    const seen = Object.entries(shown).filter(([, { sees }]) => sees?.includes(' without a key: '));
    const withOne = seen.filter(([, { sees, requests }]) => {
      const key = new Headers(requests.at(-1)?.headers).get('x-api-key') ?? '';
      return sees?.includes('(key: unknown)') || key !== '';
    });
    expect([seen.length > 10, withOne]).toEqual([true, []]);
  });

  const byFirst = Object.entries(Object.groupBy(inCurl, ([id]) => id.split('/')[0] ?? ''));
  it.each(byFirst)('answer wrongly over HTTP as the list says: %s', async (_, ways = []) => {
    const alike: string[] = [];
    for (const [id, { requests }] of ways) {
      const [right, wrong] = [await lastReplies(requests), await lastReplies(requests, id)];
      if (isDeepStrictEqual(right, wrong)) alike.push(id);
    }
    expect(alike).toEqual([]);
  });
});
