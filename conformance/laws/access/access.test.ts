import { expect, test } from 'vitest';
import { type Credential, type Exchange, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { defects } from '../../proof/defects/index.ts';
import type { Defect } from '../../proof/tampering/defect.ts';
import { servedAs } from '../../proof/tampering/when.ts';
import { named } from '../../proof/trials/named.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { askedBy } from '../judging/asked.ts';
import { judgeBy } from '../judging/judge.ts';
import { auth } from './auth.ts';
import { isolation } from './isolation.ts';
import { keys } from './keys.ts';
import { scopes } from './scopes.ts';

const laws = [...auth, ...scopes, ...isolation, ...keys];
const { history: good } = await tryDefect(null, { rules: new Set(laws.map(({ rule }) => rule)) });

const inTokenHeader: Defect = {
  id: 'test',
  breaks: 'auth/header-is-required',
  does: 'takes the key from another header as well',
  around: servedAs('acme', { where: ({ request }) => request.headers['x-api-token'] }),
};

test.each([
  [named(defects, 'auth/key-in-query-accepted'), 'a key in the query string is accepted'],
  [named(defects, 'auth/key-in-cookie-accepted'), 'a key in a cookie is accepted'],
  [inTokenHeader, 'a key in the header x-api-token is accepted'],
])('the place of a key that counts is named, %#', async (defect, words) => {
  const { history } = await tryDefect(defect, { rules: new Set(['auth/header-is-required']) });
  const breaches = auth.flatMap((law) => law.judge(history).breaches.map(({ observed }) => observed));
  expect(breaches.filter((one) => one.includes('accepted')).map((one) => one.replace(/^\d+: /, ''))).toContain(words);
});

type Meant = (exchange: Exchange) => boolean;
type Change = (exchange: Exchange) => Partial<Exchange>;

/** The good history with the last selected exchange changed. */
function edited(meant: Meant, change: Change): History {
  const index = good.exchanges.findLastIndex(meant);
  expect(index).toBeGreaterThanOrEqual(0);
  return {
    ...good,
    exchanges: good.exchanges.map((one, i) => (i === index ? { ...one, ...change(one) } : one)),
  };
}

const broken = (history: History) =>
  laws
    .map((law) => judgeBy(law, history))
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'warn' || outcome === 'error')
    .map(({ id }) => id);

const all =
  (...those: readonly Meant[]): Meant =>
  (exchange) =>
    those.every((one) => one(exchange));
const by =
  (key: string): Meant =>
  (exchange) =>
    exchange.key === key && exchange.credential === 'key';
const asked =
  (operation: Exchange['operation']): Meant =>
  (exchange) =>
    exchange.operation === operation;
const shown =
  (credential: Credential): Meant =>
  (exchange) =>
    exchange.credential === credential;
const about =
  (record: string): Meant =>
  (exchange) =>
    askedBy(exchange, good).record === record;
/** Both tenants have a site of this number. */
const sharedSite = all(asked('getSite'), ({ params }) => params.id === '10042', succeeded);

const status =
  (value: number | null, body: unknown = { error: { code: 'CODE', message: 'words' } }): Change =>
  () => ({ status: value, body: value === null ? null : JSON.stringify(body) });
const fields =
  (change: Readonly<Record<string, unknown>>): Change =>
  (exchange) => ({ body: JSON.stringify({ ...objectIn(exchange), ...change }) });

const context = asked('getConversationContext');
const closed: Meant = ({ params }) => params.id === 'c0000002-0000-4000-8000-000000000002';
const open: Meant = ({ params }) => params.id === 'c0000001-0000-4000-8000-000000000001';
const theirs = 'Shops around the escalators complain about the heat.';

test('the correct history breaks no law', () => {
  expect(broken(good)).toEqual([]);
});

test.each<readonly [what: string, meant: Meant, change: Change, law: string]>([
  ['no key is answered 401', all(shown('none'), asked('listLabels')), status(401), 'auth/no-key-is-403'],
  [
    'no key is served at nearly the path',
    all(shown('none'), ({ twist }) => twist === 'path/trailing-slash getHealth'),
    status(200, { status: 'ok' }),
    'auth/no-key-is-403/near-misses',
  ],
  ['no key is answered 400', all(shown('none'), asked('startSiteFileUpload')), status(400), 'auth/no-key-is-403'],
  ['no key is served', all(shown('none'), asked('getHealth')), status(200, {}), 'auth/no-key-is-403'],
  ['an empty key is answered 404', all(shown('empty'), closed), status(404), 'auth/no-key-is-403'],
  ['an unknown key is answered 401', shown('unknown'), status(401), 'auth/unknown-key-is-403'],
  ['part of a key is served', all(shown('part-of-a-key'), context), status(200, {}), 'auth/unknown-key-is-403'],
  ['a key in other letter case is answered 401', shown('other-case'), status(401), 'auth/unknown-key-is-403'],
  ['letter case counts only at times', all(shown('other-case'), context), status(200, {}), 'auth/unknown-key-is-403'],
  ['a revoked key is served', all(by('acme/revoked'), asked('getHealth')), status(200, {}), 'auth/revoked-key-is-403'],
  ['a revoked key is answered 401', by('acme/revoked'), status(401), 'auth/revoked-key-is-403'],
  ['a Bearer token is served', all(shown('bearer'), context), status(200, {}), 'auth/bearer-is-not-supported'],
  [
    'a Bearer token is answered like a key',
    all(shown('bearer'), asked('registerSiteFile')),
    status(404),
    'auth/bearer-is-not-supported',
  ],
  ['a Bearer token is answered 401', shown('bearer'), status(401), 'auth/bearer-is-not-supported'],
  ['a key elsewhere is answered 401', shown('elsewhere'), status(401), 'auth/header-is-required'],
  [
    'a key elsewhere is served',
    all(shown('elsewhere'), asked('getHealth')),
    status(200, {}),
    'auth/header-is-required',
  ],
  [
    'a key elsewhere takes a label off',
    all(shown('elsewhere'), asked('removeSiteLabel')),
    status(200, {}),
    'auth/header-is-required',
  ],
  ['Basic is served', all(shown('basic'), asked('listLabels')), status(204, ''), 'auth/header-is-required'],
  ['a valid key is answered 401', all(by('acme/links'), asked('getHealth')), status(401), 'auth/key-in-x-api-key'],
  [
    'a valid key is refused once',
    all(by('acme/only-conversation-read'), context, open),
    status(403),
    'auth/key-in-x-api-key',
  ],
  [
    'a 403 has the body of a gateway',
    shown('none'),
    status(403, { message: 'Forbidden' }),
    'auth/forbidden-has-the-error-body',
  ],
  [
    'a 403 has no message',
    by('acme/revoked'),
    status(403, { error: { code: 'FORBIDDEN' } }),
    'auth/forbidden-has-the-error-body',
  ],
  [
    'a 403 has an empty code',
    all(by('acme/none'), context),
    status(403, { error: { code: '', message: 'no' } }),
    'auth/forbidden-has-the-error-body',
  ],
  [
    'a key without scope reads',
    all(by('acme/only-site-read'), context),
    status(200, {}),
    'scopes/context-needs-conversation-read',
  ],
  [
    'a key without scope uploads',
    all(by('acme/only-site-read'), asked('startSiteFileUpload')),
    status(201, {}),
    'scopes/upload-needs-sitefile-write',
  ],
  [
    'a key without scope labels',
    all(by('globex/reader'), asked('removeConversationLabel')),
    status(204, ''),
    'scopes/conversation-labels-need-conversation-write',
  ],
  [
    'a key with one of two scopes is enough',
    all(by('acme/only-site-write'), asked('removeClientSiteLabel')),
    status(200, {}),
    'scopes/link-remove-needs-both',
  ],
  ['a missing scope is 404', all(by('acme/none'), context), status(404), 'scopes/missing-scope-is-403'],
  [
    'a stranger reads ours',
    all(by('globex/full'), asked('getSite'), about('theirs')),
    status(200, { id: 'x' }),
    'isolation/reads-stay-in-tenant',
  ],
  [
    'their site of the same number is shown as ours once',
    all(by('acme/full'), sharedSite),
    () => ({ body: good.exchanges.find(all(by('globex/full'), sharedSite))?.body ?? null }),
    'isolation/reads-stay-in-tenant',
  ],
  ['we read theirs', all(asked('getClient'), about('theirs')), status(200, {}), 'isolation/reads-stay-in-tenant'],
  [
    'an id of theirs in a list',
    all(by('acme/none'), asked('listLabels')),
    fields({ next: '/v1/site/ovaid-517e0001-0000-4000-8000-000000000101' }),
    'isolation/reads-stay-in-tenant',
  ],
  [
    'an id of ours in a header to them',
    all(by('globex/full'), asked('getHealth')),
    () => ({ headers: { 'x-last': 'c0000002-0000-4000-8000-000000000002' } }),
    'isolation/reads-stay-in-tenant',
  ],
  [
    'a text of theirs in a refusal',
    all(by('acme/full'), about('theirs'), asked('getConversation')),
    status(404, { error: { code: 'NOT_FOUND', message: `not "${theirs}"` } }),
    'isolation/reads-stay-in-tenant',
  ],
  [
    'a text of theirs for once',
    all(context, open, by('acme/only-conversation-read')),
    fields({ note: theirs }),
    'isolation/reads-stay-in-tenant',
  ],
  [
    'a write of theirs succeeds',
    all(asked('applySiteLabel'), about('theirs')),
    status(200, {}),
    'isolation/writes-stay-in-tenant',
  ],
  [
    'an upload of theirs is started',
    all(asked('startSiteFileUpload'), about('theirs')),
    status(201, {}),
    'isolation/writes-stay-in-tenant',
  ],
  [
    'one key does not find a record',
    all(by('acme/full'), asked('getClient'), about('ours')),
    status(404),
    'keys/partner-scoped',
  ],
])('%s', (_, meant, change, law) => {
  expect(
    broken(
      edited(
        all(meant, (exchange) => exchange.status !== 429),
        change,
      ),
    ),
  ).toEqual([law]);
});

/** Edits that are no fault. */
test.each<readonly [what: string, meant: Meant, change: Change]>([
  ['a 503 without a key', shown('none'), status(503)],
  ['a 429 without a key', shown('unknown'), status(429, { message: 'slow down' })],
  ['no reply to a revoked key', by('acme/revoked'), status(null)],
  ['a foreign record is 403', all(asked('getSite'), about('theirs')), status(403)],
  ['a missing scope is 403 elsewhere', all(by('acme/none'), asked('getSite')), status(404)],
  [
    'a short number of theirs in ours',
    all(asked('getSite'), by('acme/full'), about('ours')),
    fields({ siteId: '10042' }),
  ],
  [
    'a text that both have in a refusal to one',
    all(by('acme/full'), about('theirs'), asked('getConversation')),
    status(404, { error: { code: 'NOT_FOUND', message: 'No such conversation here.' } }),
  ],
  [
    'a label of both',
    all(by('globex/full'), asked('listLabels')),
    fields({ more: [{ id: '1abe1001-0000-4000-8000-000000000001', name: 'vip' }] }),
  ],
])('%s is no breach', (_, meant, change) => {
  expect(broken(edited(meant, change))).toEqual([]);
});

/** Replaces the status of all selected replies. */
const everywhere = (meant: Meant, change: Change): History => ({
  ...good,
  exchanges: good.exchanges.map((one) => (meant(one) ? { ...one, ...change(one) } : one)),
});

test('distinguishes an additional required scope from an unknown key', () => {
  const narrow = by('acme/only-conversation-write');
  const applies = all(narrow, asked('applyConversationLabel'), about('ours'), succeeded);
  expect(broken(everywhere(applies, status(403)))).toContain('scopes/named-scopes-suffice');
  expect(broken(everywhere(narrow, status(403)))).toContain('auth/key-in-x-api-key');
  expect(broken(everywhere(narrow, status(403)))).not.toContain('scopes/named-scopes-suffice');
});

test('accepts a success for a record of another tenant if unknown records get the same reply', () => {
  const stranger = all(by('acme/full'), asked('getConversation'), about('theirs'));
  const empty = everywhere(stranger, status(200, { data: null }));
  expect(broken(empty)).toContain('isolation/reads-stay-in-tenant');
  const template = good.exchanges.find(stranger) as Exchange;
  const params = { id: '00000000-0000-4000-8000-00000000abcd' };
  const unknown: Exchange = { ...template, n: 1e6, params, status: 200, body: '{"data":null}' };
  expect(broken({ ...empty, exchanges: [...empty.exchanges, unknown] })).toEqual([]);
});

test('says that site:write is taken for siteFile:write', () => {
  const history = edited(all(by('acme/only-site-write'), asked('startSiteFileUpload'), about('ours')), status(201));
  const results = scopes.map((law) => judgeBy(law, history));
  expect(results).toContainEqual(
    expect.objectContaining({
      id: 'scopes/upload-needs-sitefile-write',
      outcome: 'pass',
      message: 'siteFile:write is not needed by a key with site:write',
    }),
  );
});

test('an associated conversation that both tenants see once belongs to one of them at most', () => {
  const [friendlyId, subject, statusLastUpdatedAt] = ['G-77', 'No heating in block 7', '2026-03-01T10:00:00.000Z'];
  const change = fields({ sites: [{ associatedConversations: [{ friendlyId, subject, statusLastUpdatedAt }] }] });
  const lastOf = (reader: string) => good.exchanges.findLast(all(by(reader), context, about('ours'), succeeded));
  const seenBy = (...readers: readonly string[]) => {
    const last = readers.map(lastOf);
    return broken(everywhere((one) => last.includes(one), change));
  };
  const law = 'isolation/reads-stay-in-tenant';
  expect(seenBy('acme/full')).not.toContain(law);
  expect(seenBy('globex/full')).not.toContain(law);
  expect(seenBy('acme/full', 'globex/full')).toContain(law);
});
