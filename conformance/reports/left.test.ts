import { expect, test } from 'vitest';
import { replyWith, withProperties } from '../../mock/proof/tampering/json-value.ts';
import { instead, onReply, type Scene } from '../../mock/proof/tampering/tamper.ts';
import type { LabelHolder } from '../../mock/store/records.ts';
import type { RuleId } from '../../spec/rules.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { judgeHistory } from '../laws/judge-history.ts';
import type { LabelWrite } from '../proof/tampering/label-write.ts';
import {
  applying,
  carried,
  carryOut,
  knowing,
  labelsNow,
  labelWriteOf,
  onWrite,
  put,
  shownAfter,
} from '../proof/tampering/label-write.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from '../run/run.ts';
import { applyWaivers } from '../run/waivers.ts';
import { leftAdvice } from './left-in.ts';
import { reportOf } from './report-of.ts';

const spareOfAcme = '1abe1009-0000-4000-8000-000000000009';

const membership = ['labels/remove-removes', 'labels/apply-is-idempotent'] as const;

/** What a run that meets this fault says that it has left, and the labels in the store that differ from before. */
async function leftAfter(around: ReturnType<typeof shownAfter>, rules: readonly RuleId[] = membership) {
  const { history, changed } = await tryDefect(
    { id: 'test', breaks: 'labels/apply-adds', does: 'test', around },
    { rules: new Set(rules) },
  );
  const results = judgeHistory(history);
  return { changed, left: reportOf(history, results, applyWaivers({ results, interrupted: false }, [], 0)).left };
}

test('labels that the deployment lost, and loses again, are named', async () => {
  const { changed, left } = await leftAfter(
    shownAfter(applying('conversation'), ({ tenant, holder, label }) => label && tenant.setLabels(holder, [label.id])),
  );
  expect(changed.length).toBeGreaterThan(0);
  expect(left.join('\n')).toMatch(
    /^label \S+ missing from conversation \S+ of acme: the first replies showed it, and the last do not/m,
  );
});

test('a label that came during the run is named, because a user or the deployment may have put it on', async () => {
  const click = '/v1/conversation/c0000002-0000-4000-8000-000000000002/label/1abe1001-0000-4000-8000-000000000001';
  const headers = { 'x-api-key': 'acmeconw-fake-secret-0000000000000006' };
  let asked = 0;
  const { environment, target } = await virtualMock({
    latency: () => 40,
    around: (handle) => async (request) => {
      if (++asked === 1_000) await handle({ ...request, method: 'PUT', url: click, headers, body: null });
      return handle(request);
    },
  });
  const history = await gather(target, { environment, journal: memoryJournal(), kit: 'test' });
  const results = judgeHistory(history);
  expect(reportOf(history, results, applyWaivers({ results, interrupted: false }, [], 0)).left).toEqual([
    expect.stringMatching(
      /^label \S+ on conversation .*: another client or the deployment changed it; where nobody meant/,
    ),
  ]);
});

test('a label is not named that all replies show after it could not be put on again', async () => {
  const isCarried = (write?: LabelWrite) => write?.does === 'apply' && carried(write);
  const around = knowing(isCarried, (seen) => onWrite(seen, (_, { reply }) => ({ ...reply, status: 500 })));
  expect(await leftAfter(around)).toEqual({ changed: [], left: [] });
});

test('a label that a write to one record also put on another is named, and a spare label taken off again', async () => {
  const onSiteToo = (write: LabelWrite) => {
    const site = 'site' in write.holder ? write.tenant.sites.get(String(write.holder.site)) : undefined;
    if (site !== undefined) carryOut({ ...write, holder: site });
  };
  const { changed, left } = await leftAfter(shownAfter(applying('link'), onSiteToo));
  // A user may have put it on.
  expect({ changed, left }).toEqual({
    changed: [expect.stringContaining('1abe1003')],
    left: [expect.stringMatching(/^label 1abe1003\S+ on site \S+ of globex: the first replies did not show it/)],
  });
});

test('a spare label that comes back by itself is named, though another client may have put it on', async () => {
  const around = (scene: Scene) => {
    const gone: { readonly write: LabelWrite; readonly at: number }[] = [];
    const { clock } = scene.mock;
    const handle = onWrite(
      (write) => write.does === 'remove',
      (write) => void gone.push({ write, at: clock.now() + 1_500 }),
    )(scene);
    return instead(() => {
      for (const { write } of gone.splice(0, gone.filter(({ at }) => at < clock.now()).length)) put(write);
      return undefined;
    })({ ...scene, handle });
  };
  const { changed, left } = await leftAfter(around);
  expect(changed.length).toBeGreaterThan(0);
  expect(left.join('\n')).toMatch(
    /^label \S+ on conversation \S+ of acme: the last reply shows it: another client .*, or the deployment/m,
  );
});

test('a spare label of one tenant is named that the last reply about a record of the other shows', async () => {
  let [replies, last] = [0, 0];
  const around = onWrite(
    ({ tenant, on, holder }) => tenant.name === 'globex' && on === 'site' && holder !== tenant.sites.get('10042'),
    (write, { reply, mock }) => {
      const spare = mock.tenants.get('acme')?.records.labels.get(spareOfAcme);
      return ++replies === last && spare
        ? withProperties(reply, { labels: [...labelsNow(write), { id: spare.id, name: spare.name }] })
        : undefined;
    },
  );
  await leftAfter(around);
  [replies, last] = [0, replies];
  const { left } = await leftAfter(around);
  expect(left).toEqual([
    expect.stringMatching(`^label ${spareOfAcme} on site \\S+ of globex: the first replies did not`),
  ]);
});

/** Adds labels to the sets in replies to writes. */
const showingToo = (more: ReadonlyMap<LabelHolder, readonly object[]>) =>
  onWrite(
    ({ holder }) => more.has(holder),
    ({ holder }, { reply }) => {
      const { labels = [], ...rest } = JSON.parse(String(reply.body));
      return { ...reply, body: JSON.stringify({ ...rest, labels: [...labels, ...(more.get(holder) ?? [])] }) };
    },
  );

test('a label that was put on a record twice is named, and nothing else', async () => {
  const around = (scene: Scene) => {
    const more = new Map<LabelHolder, object[]>();
    const handle = onWrite(
      (write) => write.does === 'apply' && write.on === 'site' && carried(write),
      ({ holder, label }) => void (label && more.set(holder, [label])),
    )(scene);
    return showingToo(more)({ ...scene, handle });
  };
  const { left } = await leftAfter(around);
  expect(left.length).toBeGreaterThan(0);
  expect(
    left.filter(
      (what) => !/ on site .*: (the last reply shows it \d times|.* and the last do): undo it by hand$/.test(what),
    ),
  ).toEqual([]);
  expect(left.join('\n')).toMatch('2 times');
});

test('a private label that a record carried hidden and shows since it was applied is named', async () => {
  const around = (scene: Scene) => {
    const more = new Map<LabelHolder, object[]>();
    const handle = onReply((answered) => {
      const write = labelWriteOf(answered);
      if (write?.label?.visibility !== 'private' || write.does !== 'apply' || write.on !== 'site' || !carried(write))
        return undefined;
      const { id, name } = write.label;
      more.set(write.holder, [{ id, name }]);
      return replyWith(200, { siteId: answered.params.id ?? '', labels: labelsNow(write) });
    })(scene);
    return showingToo(more)({ ...scene, handle });
  };
  const { left } = await leftAfter(around, ['labels/private-cannot-be-applied']);
  expect(left).toEqual([
    expect.stringMatching(/^label 1abe9001\S+ on site \S+ of acme: it is private, .*: undo it by hand$/),
  ]);
});

test('a command is not advised where it can undo nothing', () => {
  expect(leftAdvice(['label x on site 1 of acme: no removal: undo it by hand'])).toBe('undo it in the product');
  expect(leftAdvice(['label x on site 1 of acme: 500', 'label y on site 1 of acme: undo it by hand'])).toMatch(
    'cleanup',
  );
});
