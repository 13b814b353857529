import { expect, it } from 'vitest';
import { errorWith } from '../../../mock/proof/tampering/json-value.ts';
import { onReply } from '../../../mock/proof/tampering/tamper.ts';
import { rules as allRules } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { defects } from '../../proof/defects/index.ts';
import { legalVariants } from '../../proof/legal-variants/index.ts';
import type { Defect } from '../../proof/tampering/defect.ts';
import { dropAnother, knowing, shownAfter, wasCarried } from '../../proof/tampering/label-write.ts';
import { named } from '../../proof/trials/named.ts';
import { networkProfiles } from '../../proof/trials/network-profiles.ts';
import { tryDefect, tryVariant } from '../../proof/trials/trial.ts';
import { judgeBy } from '../judging/judge.ts';
import { registerBreaches } from '../labels/registers/register-breaches.ts';
import { limiter } from './limiter.ts';

const rules = new Set(allRules.map(({ id }) => id).filter((id) => id.startsWith('limiter/')));
const { history: good } = await tryDefect(null, { rules });

type Change = (exchange: Exchange) => Partial<Exchange>;

/** The good history with the selected exchanges changed. */
const edited = (meant: (exchange: Exchange, index: number) => boolean, change: Change): History => ({
  ...good,
  exchanges: good.exchanges.map((one, i) => (meant(one, i) ? { ...one, ...change(one) } : one)),
});
const failing = (history: History) =>
  limiter
    .map((law) => judgeBy(law, history))
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
    .map(({ id }) => id);

const throttled = good.exchanges.filter(({ status }) => status === 429);
const first = (exchange: Exchange) => exchange === throttled[0];
const body =
  (json: unknown): Change =>
  () => ({ body: typeof json === 'string' ? json : JSON.stringify(json) });
const retryAfter =
  (value: string | null): Change =>
  ({ headers: { 'retry-after': _, ...headers } }) => ({
    headers: value === null ? headers : { ...headers, 'retry-after': value },
  });

it('finds no failure in the correct history', () => {
  expect(throttled.length).toBeGreaterThan(20);
  expect(failing(good)).toEqual([]);
});

it.each<[what: string, change: Change, broken: string]>([
  ['without Retry-After', retryAfter(null), 'limiter/429-has-retry-after'],
  ['with a date', retryAfter('Wed, 21 Oct 2026 07:28:00 GMT'), 'limiter/429-has-retry-after'],
  ['with a word', retryAfter('soon'), 'limiter/429-has-retry-after'],
  ['with a negative number', retryAfter('-1'), 'limiter/429-has-retry-after'],
  ['with the error body', body({ error: { code: 'X', message: 'no' } }), 'limiter/429-body-is-one-message'],
  ['with a second field', body({ message: 'no', retryAfter: 1 }), 'limiter/429-body-is-one-message'],
  ['with a number for a message', body({ message: 429 }), 'limiter/429-body-is-one-message'],
  ['without a body', body(''), 'limiter/429-body-is-one-message'],
  ['with a page', body('<html>slow down</html>'), 'limiter/429-body-is-one-message'],
])('a single 429 %s breaks its rule', (_, change, broken) => {
  expect(failing(edited(first, change))).toContain(broken);
});

it('blames the limiter for a 403 over the limit, unless lawful requests get it below the limit as well', () => {
  const health = ({ operation, key, status }: Exchange) =>
    operation === 'getHealth' && key === 'acme/limits' && status === 200;
  const over = good.exchanges.find((one) => health(one) && one.situation === 'limiter/sustained' && one.twist === null);
  const below = good.exchanges.find((one) => health(one) && one.situation === 'limiter/paced');
  const refused = (paced: boolean) =>
    edited(
      (one) => one === over || one === below,
      (one) => (one === over ? { status: 403 } : { paced, status: paced ? 403 : 200 }),
    );
  expect(failing(refused(false))).toEqual(['limiter/over-the-rate-is-429']);
  expect(failing(refused(true))).toEqual([]);
});

it('blames rate and burst of a limiter with half the limit, and not its buckets per key', async () => {
  const half: Defect = {
    id: 'limits/half',
    breaks: 'limiter/burst',
    does: 'admits half of what the target file says',
    options: () => ({ rateLimit: { perSecond: 5, burst: 10 } }),
    target: ({ tenants, ...target }) => ({
      ...target,
      tenants: tenants.map(({ keys, ...tenant }) => ({
        ...tenant,
        keys: keys.map((key) => ({ ...key, rateLimit: { perSecond: 10, burst: 20 } })),
      })),
    }),
  };
  expect(failing((await tryDefect(half, { rules })).history)).toEqual(['limiter/steady-rate', 'limiter/burst']);
});

it.each([
  [92, 'warn'],
  [5, 'pass'],
])('a Retry-After of %i where a token is there in a tenth of a second: %s', (seconds, outcome) => {
  const long = edited(({ status }) => status === 429, retryAfter(String(seconds)));
  const law = named(limiter, 'limiter/waiting-retry-after-suffices/no-longer-than-needed');
  expect(judgeBy(law, long).outcome).toBe(outcome);
});

it('finds a limiter that throttles nothing', () => {
  const all = edited(
    ({ status }) => status === 429,
    () => ({ status: 200, body: '{"labels":[]}', headers: { 'content-type': 'application/json' } }),
  );
  expect(failing(all).length).toBeGreaterThan(0);
  const { message } = judgeBy(named(limiter, 'limiter/over-the-rate-is-429'), all);
  expect(message).toMatch(/no 429 at all: .*; where the limit of this key was raised, its rateLimit says so/);
});

it('finds a key that is throttled far below its rate', () => {
  const paced = good.exchanges.filter((one) => one.paced && one.key !== null);
  const [same = []] = [...Map.groupBy(paced, ({ key }) => key).values()].sort((a, b) => b.length - a.length);
  const refused = new Set(same.slice(1));
  const strict = edited(
    (exchange) => refused.has(exchange),
    () => ({
      status: 429,
      body: '{"message":"no"}',
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
    }),
  );
  expect(failing(strict).length).toBeGreaterThan(0);
});

it.each(['rejected-requests-consume', 'rejected-requests-go-into-debt'])(
  'blames nobody over a slow network: %s',
  async (id) => {
    const network = named(networkProfiles, 'jittery');
    expect(failing((await tryVariant(named(legalVariants, id), { rules, network })).history)).toEqual([]);
  },
);

it('puts a restart down to nobody', async () => {
  const { history } = await tryVariant(named(legalVariants, 'restarts-after-20-s'), { rules });
  expect(failing(history)).toEqual([]);
});

it('finds a limiter that closes the whole service again and again', async () => {
  const closing: Defect = {
    id: 'test',
    breaks: 'limiter/over-the-rate-is-429',
    does: 'answers everything 503 for half a second after each request over the rate',
    around: (scene) => {
      let until = 0;
      return onReply(({ mock, reply, id }) => {
        const now = mock.clock.now();
        if (id === 'storage' || (reply.status !== 429 && now >= until)) return undefined;
        if (reply.status === 429) until = now + 500;
        return errorWith(503, 'OVERLOADED');
      })(scene);
    },
  };
  expect(failing((await tryDefect(closing, { rules })).history)).toContain('limiter/over-the-rate-is-429');
});

it('says that throttled requests may cost tokens without a bound', async () => {
  const { history } = await tryVariant(named(legalVariants, 'rejected-requests-go-into-endless-debt'), { rules });
  const unclear = limiter.flatMap((law) => law.judge(history).unclear ?? []);
  expect(unclear.join()).toMatch(/each throttled request may cost a token as well, without a bound/);
  expect(failing(history)).toEqual([]);
});

it('finds a limiter that is too slow in a way that no bucket explains, because other keys are too slow as well', async () => {
  const { history } = await tryDefect(named(defects, 'limiter/clock-goes-back'), {
    rules: new Set(['limiter/steady-rate']),
  });
  expect(failing(history)).toContain('limiter/steady-rate');
});

it('puts what removals of absent labels do to other labels down to them, and not to a 429 before them', async () => {
  const { history } = await tryDefect(
    {
      id: 'test',
      breaks: 'labels/remove-is-idempotent',
      does: 'takes the last label off with each removal of a label that is not carried',
      around: knowing(wasCarried, (was) => shownAfter((write) => write.does === 'remove' && !was(), dropAnother)),
    },
    { rules: new Set(['limiter/429-comes-before-the-handler', 'labels/remove-is-idempotent']) },
  );
  expect(registerBreaches(history).length).toBeGreaterThan(0);
  expect(failing(history)).toEqual([]);
});

it.each([
  [/^not measured$/, () => false],
  [/^at least \d+ at once$/, ({ status }: Exchange) => status !== 429],
])('a burst without an upper bound: %s', (words, isAnswered) => {
  const unanswered = edited(
    (one) => !isAnswered(one),
    () => ({ status: null, body: null }),
  );
  const { finding } = judgeBy(named(limiter, 'limiter/burst-reading'), unanswered);
  expect(finding.answers?.join()).toMatch(words);
});

it.each([
  ['one operation are its own limit', (one: Exchange) => one.operation === 'applySiteLabel', ['limiter/steady-rate']],
  ['any operations may be another client', () => true, []],
])('requests below the rate that are throttled, if they are of %s', async (_, isMeant, laws) => {
  const { history } = await tryDefect(null);
  const meant = history.exchanges.filter((one) => one.key === 'globex/full' && one.paced && isMeant(one));
  const throttled = new Set(meant.filter((_one, i) => i % Math.floor(meant.length / 16) === 0));
  const headers = { 'retry-after': '1' };
  const exchanges = history.exchanges.map((one) => (throttled.has(one) ? { ...one, status: 429, headers } : one));
  expect(throttled.size).toBeGreaterThanOrEqual(16);
  expect(failing({ ...history, exchanges }).filter((id) => id === 'limiter/steady-rate')).toEqual(laws);
});
