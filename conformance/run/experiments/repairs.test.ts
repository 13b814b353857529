import { expect, it } from 'vitest';
import type { Mock } from '../../../mock/index.ts';
import { memoryJournal } from '../../journal/write-journal.ts';
import { defects } from '../../proof/defects/index.ts';
import { carried, knowing, type LabelWrite, shownAfter } from '../../proof/tampering/label-write.ts';
import { named } from '../../proof/trials/named.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { virtualMock } from '../../proof/trials/virtual-mock.ts';
import { gather } from '../run.ts';

const rules = new Set(['labels/apply-adds', 'labels/remove-removes', 'labels/apply-is-idempotent'] as const);

const labelsOf = async ({ snapshot }: Pick<Mock, 'snapshot'>) =>
  (await snapshot()).tenants.map(({ name, labels }) => ({ name, labels }));

it.each([2, 8])('labels that the first %i contexts of each conversation do not show stay', async (times) => {
  const seen = new Map<string, number>();
  const { mock, environment, target } = await virtualMock({
    around: (handle) => async (request) => {
      const reply = await handle(request);
      const [, id] = /conversation\/([^/]+)\/context/.exec(request.url) ?? [];
      if (id === undefined || reply.status !== 200) return reply;
      seen.set(id, (seen.get(id) ?? 0) + 1);
      if ((seen.get(id) ?? 0) > times) return reply;
      return { ...reply, body: JSON.stringify({ ...JSON.parse(String(reply.body)), labels: [] }) };
    },
  });
  const before = await labelsOf(mock);
  await gather(target, { environment, journal: memoryJournal(), kit: 'test', rules });
  expect(await labelsOf(mock)).toEqual(before);
});

it('leaves no label in either of two instances', async () => {
  const { changed } = await tryDefect(named(defects, 'labels/two-instances-in-turn'), { rules });
  expect(changed).toEqual([]);
});

const dropFrom = ({ tenant, holder, label }: LabelWrite, keeps: number) => {
  const others = tenant.publicLabelsOf(holder).filter(({ id }) => id !== label?.id);
  const lost = new Set(others.slice(0, Math.max(0, others.length - keeps)).map(({ id }) => id));
  tenant.setLabels(
    holder,
    [...tenant.labelsOf(holder)].filter((id) => !lost.has(id)),
  );
};

it.each([
  [
    'the removal of an absent label',
    knowing(
      (write) => write?.does === 'remove' && !carried(write),
      (seen) => shownAfter(seen, (write) => dropFrom(write, 0)),
    ),
  ],
  [
    'more than two labels',
    shownAfter(
      ({ does }) => does === 'apply',
      (write) => dropFrom(write, 1),
    ),
  ],
])('labels of all records that get lost by %s are put on again', async (_, around) => {
  const { history, changed } = await tryDefect(
    { id: 'test', breaks: 'labels/apply-adds', does: 'test', around },
    { rules },
  );
  expect(history.exchanges.some(({ situation }) => situation === 'labels/put-right')).toBe(true);
  expect(changed).toEqual([]);
});
