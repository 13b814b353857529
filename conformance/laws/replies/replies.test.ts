import { expect, test } from 'vitest';
import { ruleById } from '../../../spec/rules.ts';
import { type Exchange, objectIn, succeeded, tooLarge } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { refusing } from '../../proof/tampering/when.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { judgeBy } from '../judging/judge.ts';
import { availability } from '../replies/availability.ts';
import { context } from './context.ts';
import { errors } from './errors.ts';
import { ids } from './ids.ts';
import { service } from './service.ts';
import { transport } from './transport.ts';
import { versioning } from './versioning.ts';

const own = [...context, ...errors, ...ids, ...service, ...transport, ...versioning];
const laws = [...own, ...availability];
const { history: good } = await tryDefect(null, { rules: new Set(own.map(({ rule }) => rule)) });

type Which = (exchange: Exchange) => boolean;
type Change = (exchange: Exchange) => Partial<Exchange>;

/** The good history with all selected exchanges changed, or only the last of them. */
function edited(which: Which, change: Change, all = false): History {
  const last = good.exchanges.findLastIndex(which);
  expect(last).toBeGreaterThanOrEqual(0);
  const exchanges = good.exchanges.map((one, index) =>
    (all ? which(one) : index === last) ? { ...one, ...change(one) } : one,
  );
  return { ...good, exchanges };
}

/** The documented laws that a history breaks or cannot decide. */
const broken = (history: History) =>
  laws
    .filter(({ rule }) => ruleById(rule).provenance === 'documented')
    .map((law) => judgeBy(law, history))
    .filter(({ finding, outcome }) => finding.breaches.length > 0 || outcome === 'error' || outcome === 'inconclusive')
    .map(({ id }) => id);

const of =
  (operation: Exchange['operation'], more: Which = () => true): Which =>
  (exchange) =>
    exchange.operation === operation && more(exchange);
const closed: Which = ({ params, credential }) =>
  credential === 'key' && params.id === 'c0000002-0000-4000-8000-000000000002';
const legacy: Which = ({ params }) => params.id === '10042';
const plain: Which = ({ twist }) => twist === null;
const isContext = of('getConversationContext', succeeded);
const twisted =
  (twist: string): Which =>
  (exchange) =>
    exchange.twist?.startsWith(twist) ?? false;
const refusedWith =
  (status: number, more: Which = () => true): Which =>
  (exchange) =>
    exchange.status === status && exchange.operation !== null && exchange.credential === 'key' && more(exchange);

const status = (value: number) => () => ({ status: value });
const text = (body: string) => () => ({ body });
const fields = (change: Readonly<Record<string, unknown>>) => (exchange: Exchange) => ({
  body: JSON.stringify({ ...objectIn(exchange), ...change }),
});
const inError = (change: Readonly<Record<string, unknown>>) => (exchange: Exchange) => ({
  body: JSON.stringify({ error: { ...(objectIn(exchange).error as object), ...change } }),
});
const record = objectIn(good.exchanges.find(of('getConversation', (one) => closed(one) && succeeded(one))) as Exchange);

test('the correct history breaks no law, and gives every documented law evidence', () => {
  expect(broken(good)).toEqual([]);
  const idle = own
    .filter(({ rule }) => ruleById(rule).provenance === 'documented')
    .filter((law) => law.judge(good).applied === 0);
  expect(idle.map(({ id }) => id)).toEqual([]);
});

test.each<[string, string, Which, Change]>([
  ['a number for urgency', 'context/strings', isContext, fields({ urgency: 3 })],
  ['an object for requester', 'context/strings', of('getConversationContext', closed), fields({ requester: {} })],
  ['a label that is null', 'context/labels-are-strings', isContext, fields({ labels: [null] })],
  ['null for labels', 'context/labels-are-strings', isContext, fields({ labels: null })],
  ['a text for isInternal', 'context/messages', isContext, fields({ messages: [{ isInternal: 'true' }] })],
  ['null for messages', 'context/messages', isContext, fields({ messages: null })],
  [
    'a number in an attachment',
    'context/messages',
    isContext,
    fields({ messages: [{}, { attachments: [{ type: 'a' }, { title: 4 }] }] }),
  ],
  ['a list for participants', 'context/participants', isContext, fields({ participants: [] })],
  ['a number for an id of a site', 'context/sites', isContext, fields({ sites: [{ id: 10042 }] })],
  ['a context with 410', 'context/get-answers-context', isContext, status(410)],
  ['an empty context', 'context/get-answers-context', isContext, text('')],
  ['a list for a context', 'context/get-answers-context', isContext, text('[]')],
  ['a context in data', 'context/get-answers-context', isContext, text('{"data":{"subject":"a"}}')],
  [
    'the record beside a context',
    'context/without-the-record',
    of('getConversationContext', ({ params }) => params.id === record.id),
    fields({ conversation: record }),
  ],
  ['an error without code', 'errors/body', refusedWith(404), inError({ code: undefined })],
  ['an empty code', 'errors/body', refusedWith(404), inError({ code: '' })],
  ['an empty message', 'errors/body', refusedWith(400), inError({ message: '' })],
  ['a number for code', 'errors/body', refusedWith(404, of('getConversationContext')), inError({ code: 4 })],
  ['a page for an unknown site', 'errors/body', of('startSiteFileUpload', refusedWith(404)), text('<html>')],
  ['a flat error', 'errors/body', of('getClient', refusedWith(404)), text('{"code":"A","message":"b"}')],
  ['an empty 500', 'errors/body', isContext, () => ({ status: 500, body: '' })],
  ['no health', 'service/named-endpoints-exist', of('getHealth', plain), status(404)],
  ['no record when closed', 'service/named-endpoints-exist', of('getConversation', closed), status(410)],
  [
    'an empty site id taken',
    'ids/site-id/empty',
    twisted('path/empty-id'),
    () => ({
      status: 201,
      body: '{"fileKey":"a"}',
    }),
  ],
])('%s breaks %s', (_, law, which, change) => {
  expect(broken(edited(which, change))).toContain(law);
});

test.each([
  [2, ['getConversationContext']],
  [4, []],
])('an operation that answers 500 one time in %i: %j', async (every, named) => {
  const around = refusing({ id: 'getConversationContext', every }, 500);
  const defect = { id: 'test', breaks: 'context/get-answers-context', does: 'is tried here', around } as const;
  const { history } = await tryDefect(defect, { slow: false });
  const breaches = availability.flatMap((law) => law.judge(history).breaches);
  expect([...new Set(breaches.map(({ exchange }) => exchange.operation))]).toEqual(named);
});

test('replies that are larger than this runner keeps are unclear, and no fault', () => {
  const failure = `${tooLarge}answered 200, but the reply has more than 200000 values`;
  const history = edited(isContext, () => ({ status: null, body: null, failure }), true);
  const unclear = availability.flatMap((law) => law.judge(history).unclear ?? []);
  expect(unclear).toContainEqual(
    expect.stringMatching(/^GET \/v1\/conversation\/.* by acme\/.*: too large for this runner/),
  );
  expect(availability.flatMap((law) => law.judge(history).breaches)).toEqual([]);
});

test.each<[string, string, Which, Change]>([
  [
    'a site that is not found',
    'ids/site-id',
    of('applySiteLabel', (one) => plain(one) && succeeded(one) && !legacy(one)),
    status(404),
  ],
  [
    'a legacy site that is malformed',
    'ids/legacy-site-id-works',
    of('startSiteFileUpload', (one) => plain(one) && succeeded(one) && legacy(one)),
    status(400),
  ],
  [
    'contexts served without a version',
    'versioning/v1-prefix',
    twisted('path/no-v1 getConversationContext'),
    () => ({ status: 200, body: good.exchanges.find(isContext)?.body ?? '' }),
  ],
  [
    'contexts of the closed one that always fail',
    'context/get-answers-context/served-at-times',
    of('getConversationContext', closed),
    status(500),
  ],
  ['starts that always fail', 'upload/start-is-201/served-at-times', of('startSiteFileUpload', succeeded), status(503)],
])('%s: everywhere, breaks %s', (_, law, which, change) => {
  expect(broken(edited(which, change, true))).toContain(law);
});

test.each<[string, Which, Change]>([
  ['null for a text', isContext, fields({ urgency: null, messages: [{ author: null }] })],
  ['an empty object for one context of many', isContext, text('{}')],
  ['one 500 with the error body', isContext, () => ({ status: 500, body: '{"error":{"code":"A","message":"b"}}' })],
  ['no reply', isContext, () => ({ status: null, body: null, failure: 'reset' })],
  ['a gateway for 403', refusedWith(403), text('{"message":"Forbidden"}')],
  [
    'a page of a firewall for a malformed id',
    of('getConversationContext', ({ params }) => params.id === '1'),
    () => ({ status: 403, body: '<html>', headers: {} }),
  ],
  ['502 from a proxy', isContext, () => ({ status: 502, body: '<html>' })],
  ['a page at another path', twisted('path/no-v1 getConversationContext'), () => ({ status: 200, body: '<html>' })],
  ['a removal without a body', of('removeSiteLabel', succeeded), () => ({ status: 204, body: '' })],
])('%s breaks nothing', (_, which, change) => {
  expect(broken(edited(which, change))).toEqual([]);
});
