import { describe, expect, it } from 'vitest';
import { createMock } from '../index.ts';
import { formOf, type Shown, type ShownRequest, shownIn } from './shown.ts';
import { wrong, wrongWays } from './wrong.ts';

async function lastReplyOf(requests: readonly ShownRequest[], id?: string): Promise<string> {
  await using mock = await createMock({ journal: false, ...(id && { wrong: wrong(id) }) });
  const { url } = await mock.listen({ port: 0 });
  let last = '';
  for (const { method, path, headers, body, times = 1 } of requests)
    for (let i = 0; i < times; i++) {
      const reply = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) }).catch(
        () => null,
      );
      last =
        reply === null ? 'no reply' : formOf(reply.status, reply.headers, await reply.text().catch(() => 'broken off'));
    }
  return last;
}

const shown = await shownIn();
const inCurl = Object.entries(shown).filter(([, { requests }]) => requests.length > 0);

describe('ways of being wrong', () => {
  it('are all told, as what a client sees', () => {
    expect(Object.keys(shown).sort()).toEqual(wrongWays.map(({ id }) => id).sort());
    expect(inCurl.length).toBeGreaterThan(0.75 * wrongWays.length);
  });

  const byFirst = Object.entries(Object.groupBy(inCurl, ([id]) => id.split('/')[0] ?? ''));
  it.each(byFirst)('answer wrongly over HTTP as the list says: %s', async (_, ways = []) => {
    const rights = new Map<string, Promise<string>>();
    const rightOf = ({ requests }: Shown) => {
      const key = JSON.stringify(requests);
      const right = rights.get(key) ?? lastReplyOf(requests);
      rights.set(key, right);
      return right;
    };
    const alike: string[] = [];
    for (const [id, one] of ways) if ((await lastReplyOf(one.requests, id)) === (await rightOf(one))) alike.push(id);
    expect(alike).toEqual([]);
  });
});
