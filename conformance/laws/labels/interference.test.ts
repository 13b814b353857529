import { expect, test } from 'vitest';
import { memoryJournal } from '../../journal/write-journal.ts';
import { virtualMock } from '../../proof/trials/virtual-mock.ts';
import { gather } from '../../run/run.ts';
import { judgeHistory } from '../judge-history.ts';
import { interference } from './interference.ts';

const vip = '1abe1001-0000-4000-8000-000000000001';
const afterHours = '1abe1002-0000-4000-8000-000000000002';

/** What a user clicks during the run, each with a key that may do it. */
const clicks = [
  ['acmelink-fake-secret-0000000000000013', 'PUT', `/v1/site/10042/label/${vip}`],
  [
    'acmeconw-fake-secret-0000000000000006',
    'PUT',
    `/v1/conversation/c0000002-0000-4000-8000-000000000002/label/${vip}`,
  ],
  [
    'acmeconw-fake-secret-0000000000000006',
    'PUT',
    `/v1/conversation/c0000001-0000-4000-8000-000000000001/label/${afterHours}`,
  ],
  [
    'acmeconw-fake-secret-0000000000000006',
    'DELETE',
    `/v1/conversation/c0000001-0000-4000-8000-000000000001/label/${vip}`,
  ],
] as const;

test('a user who writes four labels during a run is no fault, and keeps what is written', async () => {
  const left = [...clicks];
  let asked = 0;
  const { mock, environment, target } = await virtualMock({
    latency: () => 40,
    around: (handle) => async (request) => {
      asked += 1;
      const [next] = left;
      if (asked >= 1_000 && asked % 40 === 0 && next !== undefined) {
        const [key, method, url] = next;
        const { status } = await handle({ ...request, method, url, headers: { 'x-api-key': key }, body: null });
        if (status === 200) left.shift();
      }
      return handle(request);
    },
  });
  const history = await gather(target, { environment, journal: memoryJournal(), kit: 'test' });
  const failed = judgeHistory(history).filter(({ outcome }) => outcome === 'fail');
  expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  const { tenants } = await mock.snapshot();
  const { conversations, sites } = tenants.find(({ name }) => name === 'acme')?.labels ?? {};
  expect({ left, conversations, sites }).toMatchObject({
    left: [],
    conversations: {
      'c0000001-0000-4000-8000-000000000001': expect.not.arrayContaining([vip]),
      'c0000002-0000-4000-8000-000000000002': expect.arrayContaining([vip]),
    },
    sites: { 10042: expect.arrayContaining([vip]) },
  });
});

test.each([
  ['once, early', [4_500]],
  ['once, while writes are refused', [19_500]],
  ['and takes the label off again', [7_000, 22_000]],
  ['takes the label off again, and puts it on once more', [12_000, 27_000, 42_000]],
])('a user who labels a conversation %s is no fault', async (_, seconds) => {
  const left = [...seconds];
  let startedAt: number | undefined;
  const [, , [key, , url]] = clicks;
  const { environment, target } = await virtualMock({
    latency: () => 40,
    around:
      (handle, { clock }) =>
      async (request) => {
        startedAt ??= clock.now();
        if (clock.now() - startedAt >= (left[0] ?? Number.POSITIVE_INFINITY)) {
          const method = left.length % 2 === seconds.length % 2 ? 'PUT' : 'DELETE';
          const { status } = await handle({ ...request, method, url, headers: { 'x-api-key': key }, body: null });
          if (status === 200) left.shift();
        }
        return handle(request);
      },
  });
  const history = await gather(target, { environment, journal: memoryJournal(), kit: 'test' });
  const failed = judgeHistory(history).filter(({ outcome }) => outcome === 'fail');
  expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  expect(left).toEqual([]);
  expect(interference(history)).toMatch(/^another client writes to these records: "after-hours" came to/);
});
