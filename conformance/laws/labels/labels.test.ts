import { describe, expect, it, test } from 'vitest';
import { type Exchange, isObject, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { memoryJournal } from '../../journal/write-journal.ts';
import { defects } from '../../proof/defects/index.ts';
import type { Defect } from '../../proof/tampering/defect.ts';
import {
  alsoAfter,
  doneAnyway,
  drop,
  knowing,
  type LabelWrite,
  onWrite,
  shownAfter,
  wasCarried,
} from '../../proof/tampering/label-write.ts';
import { named } from '../../proof/trials/named.ts';
import { findersIn, tryDefect } from '../../proof/trials/trial.ts';
import { virtualMock } from '../../proof/trials/virtual-mock.ts';
import { gather } from '../../run/run.ts';
import { holderKey } from '../../target/holder.ts';
import { laws } from '../index.ts';
import { judgeHistory } from '../judge-history.ts';
import { contextsOfOthers } from '../judging/contexts-of-others.ts';
import { judgeBy } from '../judging/judge.ts';
import { interference } from './interference.ts';
import { labels } from './labels.ts';
import { ownWrites } from './registers/own-writes.ts';
import { registerBreaches } from './registers/register-breaches.ts';

const rules = new Set(labels.map(({ rule }) => rule));
const { history: good } = await tryDefect(null, { rules });

const spare = '1abe1008-0000-4000-8000-000000000008';
const hidden = '1abe9003-0000-4000-8000-000000000903';

type Meant = (exchange: Exchange) => boolean;
type Change = (exchange: Exchange) => Partial<Exchange>;

/** The good history with the first selected exchange changed. */
function edited(meant: Meant, change: Change): History {
  const index = good.exchanges.findIndex(meant);
  expect(index).toBeGreaterThanOrEqual(0);
  return { ...good, exchanges: good.exchanges.map((one, i) => (i === index ? { ...one, ...change(one) } : one)) };
}

const failing = (history: History) =>
  labels
    .map((law) => judgeBy(law, history))
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
    .map(({ id }) => id);

const all =
  (...those: readonly Meant[]): Meant =>
  (exchange) =>
    those.every((one) => one(exchange));
const asked =
  (operation: Exchange['operation'], label = spare): Meant =>
  (exchange) =>
    exchange.operation === operation && (label === '' || exchange.params.labelId === label) && exchange.twist === null;
const living =
  (slug: string): Meant =>
  ({ situation }) =>
    situation === `labels/life/${slug}`;
/** The n-th of the selected exchanges. */
const nth = (n: number, meant: Meant): Meant => {
  const those = good.exchanges.filter(meant);
  return (exchange) => exchange === those[n];
};
const body =
  (change: (json: Readonly<Record<string, unknown>>) => unknown): Change =>
  (exchange) => ({
    body: JSON.stringify(change(objectIn(exchange))),
  });
const inSet = (change: (items: readonly unknown[]) => readonly unknown[]): Change =>
  body((json) => ({ ...json, labels: change(Array.isArray(json.labels) ? json.labels : []) }));
const without = (id: string) =>
  inSet((items) => items.filter((item) => !(isObject(item) && item.id === id) && item !== 'spare'));
const status =
  (to: number): Change =>
  () => ({ status: to, body: '{"error":{"code":"X","message":"no"}}' });

const applied = (slug: string, operation: Exchange['operation']) => all(living(slug), asked(operation), succeeded);

test('a single 500 breaks no law, whatever the record carries', () => {
  const failed = { status: 500, body: JSON.stringify({ error: { code: 'INTERNAL', message: 'Not now.' } }) };
  const lost = { status: null, body: null, failure: 'read ECONNRESET' };
  const all = ownWrites(good).filter(({ exchange }) => succeeded(exchange));
  const pairs = all.flatMap((write, i) => {
    const before = all.slice(0, i).findLast(({ holder }) => holderKey(holder) === holderKey(write.holder));
    return before && write.tenant === 'globex' ? [[before.exchange, write.exchange] as const] : [];
  });
  expect(pairs.length).toBeGreaterThan(10);
  for (const [before, after] of pairs) {
    const change = (one: Exchange) => (one === before ? lost : one === after ? failed : {});
    expect(failing({ ...good, exchanges: good.exchanges.map((one) => ({ ...one, ...change(one) })) })).toEqual([]);
  }
});

test('the correct history breaks no law', () => {
  expect(failing(good)).toEqual([]);
  expect(registerBreaches(good)).toEqual([]);
});

describe.each<[what: string, meant: Meant, change: Change, broken: readonly string[]]>([
  [
    'an apply that is refused',
    applied('open-conversation', 'applyConversationLabel'),
    status(409),
    ['labels/apply-adds', 'labels/conversation-apply'],
  ],
  [
    'a second apply that is refused',
    nth(1, applied('current-site', 'applySiteLabel')),
    status(409),
    ['labels/apply-is-idempotent'],
  ],
  [
    'a removal of what is carried that is refused',
    nth(1, applied('link', 'removeClientSiteLabel')),
    status(404),
    ['labels/remove-removes'],
  ],
  [
    'a removal of what is not carried that is refused',
    nth(0, applied('link', 'removeClientSiteLabel')),
    status(410),
    ['labels/remove-is-idempotent'],
  ],
  [
    'anything refused on a closed conversation',
    applied('closed-conversation', 'applyConversationLabel'),
    status(422),
    ['labels/closed-conversation-can-be-labelled'],
  ],
  [
    'a reply to applying that lacks the label',
    applied('open-conversation', 'applyConversationLabel'),
    without(spare),
    ['labels/conversation-apply'],
  ],
  [
    'a reply to applying that lacks another label',
    applied('current-site', 'applySiteLabel'),
    inSet((items) => items.filter((item) => isObject(item) && item.id === spare)),
    ['labels/site-apply'],
  ],
  [
    'a reply to removing without a set',
    applied('link', 'removeClientSiteLabel'),
    () => ({ body: '{}' }),
    ['labels/link-remove'],
  ],
  [
    'a reply to removing that has the label',
    nth(1, applied('open-conversation', 'removeConversationLabel')),
    inSet((items) => [...items, { id: spare, name: 'spare' }]),
    ['labels/conversation-remove'],
  ],
  [
    'a context at rest that lacks an applied label',
    nth(1, all(living('open-conversation'), asked('getConversationContext', ''))),
    without(spare),
    ['labels/apply-adds'],
  ],
  [
    'a label twice in a set',
    applied('link', 'applyClientSiteLabel'),
    inSet((items) => [...items, items[0]]),
    ['labels/membership-is-a-set'],
  ],
  [
    'another siteId',
    applied('legacy-site', 'applySiteLabel'),
    body((json) => ({ ...json, siteId: '10043' })),
    ['labels/site-label-set'],
  ],
  [
    'a siteId that is a number',
    applied('legacy-site', 'applySiteLabel'),
    body((json) => ({ ...json, siteId: 10042 })),
    ['labels/site-label-set'],
  ],
  [
    'a set of ids on a site',
    applied('current-site', 'applySiteLabel'),
    inSet((items) => items.map((item) => (isObject(item) ? item.id : item))),
    ['labels/site-label-set'],
  ],
  [
    'a list without the spare label',
    asked('listLabels', ''),
    inSet((items) => items.filter((item) => !(isObject(item) && item.id === spare))),
    ['labels/listing-gives-public-labels'],
  ],
  [
    'a list without a label that a conversation carries before and after',
    nth(1, ({ situation, operation }) => situation === 'labels/list' && operation === 'listLabels'),
    without('1abe1001-0000-4000-8000-000000000001'),
    ['labels/listing-gives-public-labels'],
  ],
  [
    'a list with a number for an id',
    asked('listLabels', ''),
    inSet((items) => [{ id: 7, name: 'seven' }, ...items]),
    ['labels/listing-gives-public-labels'],
  ],
])('%s', (_, meant, change, broken) => {
  it(`breaks ${broken.join(', ')}`, () => {
    expect(failing(edited(meant, change))).toEqual(expect.arrayContaining([...broken]));
  });
});

test.each<[what: string, meant: Meant, change: Change]>([
  [
    'a 500 that is answered otherwise the next time',
    applied('open-conversation', 'applyConversationLabel'),
    status(503),
  ],
  [
    'another id in a record',
    applied('current-site', 'applySiteLabel'),
    inSet((items) => items.map((item) => ({ ...(item as object), parentId: hidden.replace('9003', '1003') }))),
  ],
  [
    'a catalogue beside the set',
    nth(1, applied('open-conversation', 'removeConversationLabel')),
    body((json) => ({ ...json, all: [{ id: spare, name: 'spare' }] })),
  ],
  [
    'a removal from a site that is answered without a body',
    nth(1, applied('current-site', 'removeSiteLabel')),
    () => ({ status: 204, body: '' }),
  ],
  ['another order', applied('current-site', 'applySiteLabel'), inSet((items) => items.toReversed())],
])('%s breaks nothing', (_, meant, change) => {
  expect(failing(edited(meant, change))).toEqual([]);
});

test('two labels of one name in each context break nothing', () => {
  const twins = inSet((items) => [...items, 'name of two', 'name of two']);
  const isContext = asked('getConversationContext', '');
  const exchanges = good.exchanges.map((one) => (isContext(one) && succeeded(one) ? { ...one, ...twins(one) } : one));
  expect(failing({ ...good, exchanges })).toEqual([]);
});

test('the run names a spare label that a record carries before it writes anything', async () => {
  const { environment, target, mock } = await virtualMock();
  const tenant = mock.tenants.get('acme');
  const conversation = tenant?.conversations.get(target.tenants[0]?.conversations?.open ?? '');
  const label = tenant?.records.labels.get(spare);
  if (tenant === undefined || conversation === undefined || label === undefined) throw new Error('no fixtures');
  tenant.applyLabel(conversation, label);
  const run = gather(target, { environment, journal: memoryJournal(), kit: 'test', rules });
  await expect(run).rejects.toThrow('tenants[0].spareLabel: spare is on conversations.open already');
  expect([...tenant.labelsOf(conversation)]).toContain(spare);
});

test.each([1, 2, 3])('a run at the same time as another finds no failure, seed %i', async (seed) => {
  const { environment, target } = await virtualMock({ latency: () => 40, seed });
  const run = async (after: number) => {
    await environment.sleep(after);
    return gather(target, { environment, journal: memoryJournal(), kit: 'test', rules, preflight: false });
  };
  const [, later] = await Promise.all([run(0), run(700 * seed)]);
  expect(registerBreaches(later)).not.toEqual([]);
  expect(interference(later)).toMatch(/another client/);
  expect(failing(later)).toEqual([]);
});

describe('the blame for labels that a deployment gets wrong', () => {
  const found = async (around: NonNullable<Defect['around']>) => {
    const { history } = await tryDefect({ id: 'test', breaks: 'labels/apply-adds', does: 'is tried here', around });
    return findersIn(laws.map((law) => judgeBy(law, history))).map(({ rule }) => rule);
  };

  test('an application that adds nothing after a removal is not blamed on a refused removal before it', async () => {
    const removed = new Set<string>();
    const isAgain = ({ does, holder, label }: LabelWrite) => {
      const name = JSON.stringify([holder, label]);
      if (does === 'remove') removed.add(name);
      return does === 'apply' && removed.has(name);
    };
    const rules = await found(shownAfter(isAgain, drop));
    expect(rules).toContain('labels/apply-adds');
    expect(rules.filter((rule) => !rule.startsWith('labels/'))).toEqual([]);
  });

  test('the context of another conversation says nothing about the labels of this one', async () => {
    const { history } = await tryDefect(named(defects, 'context/is-the-one-before-at-times'), {
      rules: new Set([...rules, 'context/get-answers-context']),
    });
    expect(contextsOfOthers(history).size).toBeGreaterThan(10);
    const wrong = registerBreaches(history).map(({ exchange }) => contextsOfOthers(history).has(exchange));
    expect(wrong).not.toContain(true);
    expect(interference(history)).toBeNull();
  });

  test('a removal of an absent label that is answered 404 does not mean that the site is not found', async () => {
    const rules = await found(
      knowing(wasCarried, (was) =>
        onWrite(
          ({ does, on }) => does === 'remove' && on === 'site' && !was(),
          (_, { reply }) => ({ ...reply, status: 404 }),
        ),
      ),
    );
    expect(rules).toContain('labels/remove-is-idempotent');
    expect(rules.filter((rule) => rule.startsWith('ids/'))).toEqual([]);
  });
});

it('counts the requests that went wrong, and not the labels and replies that show it', async () => {
  const { history } = await tryDefect(
    {
      id: 'test',
      breaks: 'labels/apply-adds',
      does: 'takes all other labels off with each label that it applies to a conversation',
      around: shownAfter(
        ({ does, on }) => does === 'apply' && on === 'conversation',
        ({ tenant, holder, label }) => label && tenant.setLabels(holder, [label.id]),
      ),
    },
    { rules },
  );
  const law = labels.find(({ id }) => id === 'labels/closed-conversation-can-be-labelled');
  const { applied = 0, breaches = [] } = law?.judge(history) ?? {};
  const closed = history.known.target.tenants.map(({ conversations }) => conversations?.closed);
  const writes = history.exchanges.filter(({ params }) => params.labelId && closed.includes(params.id));
  expect(breaches.length).toBeGreaterThan(0);
  expect(breaches.length).toBeLessThan(applied);
  expect(applied).toBeLessThanOrEqual(writes.length);
});

test('a write that was refused is not blamed for what another one did', async () => {
  const defect: Defect = {
    id: 'test',
    breaks: 'scopes/missing-scope-is-403',
    does: 'test',
    around: doneAnyway({ id: 'applyConversationLabel', refused: 'missing-scope' }),
  };
  const both = ['scopes/missing-scope-is-403', 'isolation/writes-stay-in-tenant'] as const;
  const { history } = await tryDefect(defect, { rules: new Set(both) });
  const judged = laws.filter(({ id }) => both.some((one) => one === id)).map((law) => judgeBy(law, history));
  expect(judged.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)).toEqual([both[0]]);
});

test('no refused write is blamed where removals take a label off all records of the tenant', async () => {
  const defect: Defect = {
    id: 'test',
    breaks: 'labels/apply-adds',
    does: 'test',
    around: alsoAfter(
      ({ does }) => does === 'remove',
      (write) => {
        const { conversations, sites, links } = write.tenant;
        for (const holder of [...conversations.values(), ...sites.values(), ...links.values()])
          drop({ ...write, holder });
      },
    ),
  };
  const { history } = await tryDefect(defect);
  const failed = findersIn(judgeHistory(history)).map(({ id }) => id);
  expect(failed).toContain('labels/apply-adds');
  expect(failed.filter((id) => /^(auth|scopes|isolation|limiter|labels.private)/.test(id))).toEqual([]);
});

it('names the headers of the target file where a write without a body is answered 415', () => {
  const refused = edited(asked('applySiteLabel'), () => ({ status: 415, body: null }));
  const messages = labels
    .map((law) => judgeBy(law, refused))
    .flatMap(({ outcome, message }) => (outcome === 'fail' ? [message] : []));
  expect(messages.join()).toMatch(/415, though there is no body; .*headers of the target file/);
});
