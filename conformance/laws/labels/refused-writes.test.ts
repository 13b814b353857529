import { expect, it } from 'vitest';
import type { Exchange } from '../../history/exchange.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { refusals } from './refused-writes.ts';

const { history: good } = await tryDefect(null);
const from = Date.parse(good.known.startedAt) + 15_000;
const isWrite = ({ operation, key, status }: Exchange) =>
  operation === 'applyConversationLabel' && key === 'globex/full' && status === 200;

it.each([
  ['while the whole service is out is a restart', true, false],
  ['while all else is served is a fault', false, true],
])('writes of a label that are always answered 503 %s', (_, isOut, isFault) => {
  let moved = 0;
  const exchanges = good.exchanges.map((one) => {
    if (isWrite(one)) {
      const sentAt = from + 20 * moved++;
      return { ...one, sentAt, doneAt: sentAt + 80, status: 503 };
    }
    return isOut && one.sentAt >= from && one.sentAt < from + 3_000 ? { ...one, status: 503 } : one;
  });
  expect(moved).toBeGreaterThanOrEqual(3);
  const blamed = refusals({ ...good, exchanges }).breaches.filter(({ expected }) =>
    expected.includes('by globex/full'),
  );
  expect(blamed.length > 0).toBe(isFault);
});
