import { expect, it } from 'vitest';
import { ruleById } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Facts } from '../history/facts.ts';
import type { History } from '../history/history.ts';
import { completeTarget } from '../scripts/missing-target-fields.ts';
import { emptyEvidence } from './evidence.ts';
import { judgeBy, lawOf } from './judge.ts';
import { judgeReplies } from './replies.ts';
import { trafficOf } from './traffic.ts';

type Line = Partial<Omit<Exchange, 'facts' | 'body'>> & { readonly facts?: Partial<Facts>; readonly json?: unknown };

const conversation = { id: completeTarget.tenants[0]?.conversations?.open ?? '' };

/** A history of reads of a context by acme's full key, but for what a line says. */
function historyOf(...lines: readonly Line[]): History {
  const exchanges = lines.map(({ facts, json = {}, ...line }, i): Exchange => {
    const operation = facts?.operation ?? 'getConversationContext';
    const n = i + 1;
    return {
      n,
      script: 'test',
      operation,
      key: 'acme/full',
      credential: 'key',
      params: operation.startsWith('getConversation') ? conversation : {},
      method: 'GET',
      url: `https://example.invalid/v1/${n}`,
      requestHeaders: {},
      requestBody: null,
      requestBytes: 0,
      sentAt: n * 1_000,
      doneAt: n * 1_000 + 50,
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
      failure: null,
      paced: true,
      facts: {
        operation,
        caller: 'valid',
        owner: operation === 'listLabels' ? null : 'ours',
        label: null,
        mutation: null,
        ...facts,
      },
      ...line,
    };
  });
  return {
    known: { kit: '0', startedAt: '2026-01-01T00:00:00Z', target: completeTarget, allowLeftovers: false },
    exchanges,
    hooks: [],
    skipped: [],
    exercised: [],
    left: [],
    interrupted: false,
    finishedAt: '2026-01-01T00:00:00Z',
  } as History;
}

const outcome = (rule: string, ...lines: readonly Line[]) =>
  judgeBy(lawOf(ruleById(rule as never).id), historyOf(...lines)).outcome;

const context = { subject: 'The lift stands still', messages: [] };
const none = { key: null, credential: 'none', facts: { caller: 'none' } } as const satisfies Line;
const at = (id: string, means: 'open' | { rule: never; statuses: number[] } = 'open') => ({ mutation: { id, means } });

it('says of a success without a key, at first sight, that a refusal is demanded', () => {
  expect(outcome('auth/no-key-is-403', { ...none, json: context })).toBe('fail');
  expect(outcome('auth/no-key-is-403', { ...none, status: 403 })).toBe('pass');
});

it('says of another path without a key only where the reply is that of the operation', () => {
  const elsewhere: Line = { ...none, operation: null, facts: { ...none.facts, ...at('a suffix') } };
  expect(outcome('auth/no-key-is-403', { json: context }, { ...elsewhere, json: context })).toBe('fail');
  expect(outcome('auth/no-key-is-403', { json: context }, { ...elsewhere, json: { page: 1 } })).toBe('not-run');
});

it('says of a page that answers everywhere nothing', () => {
  const mutation = { id: 'without the version', means: { rule: 'versioning/v1-prefix', statuses: [404] } } as const;
  const bare: Line = { operation: null, json: context, facts: { mutation } };
  const below: Line = { operation: null, json: context, facts: at('an unknown path') };
  expect(outcome('versioning/v1-prefix', { json: context }, bare)).toBe('fail');
  expect(outcome('versioning/v1-prefix', { json: context }, bare, below)).toBe('pass');
});

it('says of what one key is not shown that keys of a tenant see the same, if a trial shows it', () => {
  const trial = (n: number, arm: 'script' | 'control') =>
    ({ id: 1, arm, round: n, rule: 'keys/partner-scoped', sign: 'without The lift stands still' }) as const;
  const rounds = (shown: unknown) =>
    Array.from({ length: 8 }, (_, i): Line[] => [
      { json: shown, trial: trial(i + 1, 'control') },
      { json: { messages: [] }, key: 'acme/other', trial: trial(i + 1, 'script') },
    ]).flat();
  expect(outcome('keys/partner-scoped', ...rounds(context))).toBe('fail');
  // A conversation whose subject was changed meanwhile lacks it for both.
  expect(outcome('keys/partner-scoped', ...rounds({ messages: [] }))).toBe('pass');
});

it('takes null in place of a list for no list, and in place of a text for a field that is left out', () => {
  expect(outcome('context/messages', { json: { ...context, messages: null } })).toBe('fail');
  expect(outcome('context/strings', { json: { ...context, urgency: null } })).toBe('pass');
  expect(outcome('context/any-field-may-be-absent', { json: { ...context, urgency: null } })).toBe('observed');
});

it('suspects the id of a site only where another site is found', () => {
  const { current = '', legacy = '' } = completeTarget.tenants[0]?.sites ?? {};
  const start = (id: string, status: number): Line => ({
    method: 'POST',
    params: { id },
    status,
    facts: { operation: 'startSiteFileUpload' },
    json: { error: { code: 'NOT_FOUND', message: 'no' } },
  });
  expect(outcome('ids/legacy-site-id-works', start(current, 201), start(legacy, 404))).toBe('inconclusive');
  expect(outcome('ids/legacy-site-id-works', start(current, 404), start(legacy, 404))).toBe('not-run');
});

it('blames no id of a site for what a write on no site does', () => {
  const { current = '', legacy = '' } = completeTarget.tenants[0]?.sites ?? {};
  const removal = (id: string, status: number, facts: Partial<Facts> = {}): Line => ({
    ...{ operation: 'removeSiteLabel', method: 'DELETE', status, params: { id } },
    facts: { operation: 'removeSiteLabel', label: 'spare', ...facts },
  });
  const idle = { successRule: 'labels/remove-is-idempotent' } as const;
  const doubted = (...lines: readonly Line[]) => {
    const history = historyOf(removal(current, 200), removal(legacy, 200), ...lines);
    return judgeReplies(trafficOf(history), emptyEvidence().evidenceOf).doubts.map(({ rule }) => rule);
  };
  const onLegacy = doubted(removal(current, 200, idle), removal(legacy, 404, idle));
  expect(onLegacy).toContain('ids/legacy-site-id-works');
  const nowhere = doubted(removal(current, 404, idle), removal(legacy, 404, idle));
  expect(nowhere.filter((rule) => rule.startsWith('ids/'))).toEqual([]);
});

it('counts odd callers of what can be asked only once together: one lost reply is no doubt, all are', () => {
  const by = (secret: string, status: number): Line => ({
    ...{ status, key: null, credential: 'none', requestHeaders: { 'x-api-key': secret } },
    facts: { operation: 'registerSiteFile', caller: 'unknown', once: true },
  });
  const callers = ['null', 'x', '*', 'user:password', 'undefined', 'ab+c'];
  const lawful: Line = { json: context };
  const among = (isLost: (i: number) => boolean, status = 502) =>
    outcome(
      'auth/unknown-key-is-403',
      lawful,
      ...callers.flatMap((one, i) => [by(one, isLost(i) ? status : 403), lawful]),
    );
  expect(among((i) => i === 2)).toBe('pass');
  expect(among(() => true)).toBe('inconclusive');
  // A front may keep away whom it has refused, now and then, and opens no door.
  expect([among((i) => i > 1, 503), among(() => true, 503)]).toEqual(['pass', 'inconclusive']);
});

it('answers open questions, with what a mock needs to do the same', () => {
  const error = { error: { code: 'GONE', message: 'no' } };
  const history = historyOf({ status: 410, json: error, facts: { owner: 'nobody' }, params: { id: 'c' } });
  const { finding, message } = judgeBy(lawOf('errors/unknown-is-404'), history);
  expect(message).toBe('unknown-conversation: 410 GONE');
  expect(finding).toMatchObject({
    answers: ['unknown-conversation: 410 GONE'],
    profile: [{ errors: { 'unknown-conversation': { status: 410, code: 'GONE', body: 'error' } } }],
  });
});

it('answers which scopes an operation needs from the keys that are served', () => {
  const list: Line = { facts: { operation: 'listLabels' }, json: { labels: [] } };
  const { finding } = judgeBy(lawOf('scopes/where-none-is-named'), historyOf(list, { ...list, key: 'acme/none' }));
  expect(finding).toMatchObject({ answers: ['listLabels: needs no scope'], breaches: [] });
});

it('says of a label of the other tenant nothing where the own list has it: they share a catalogue', () => {
  const params = { ...conversation, labelId: '30000000-0000-4000-8000-000000000000' };
  const write: Line = { method: 'PUT', params, facts: { operation: 'applyConversationLabel', label: 'foreign' } };
  const list: Line = { facts: { operation: 'listLabels' }, json: { labels: [{ id: params.labelId.toUpperCase() }] } };
  const rule = 'isolation/writes-stay-in-tenant';
  expect(outcome(rule, list, { ...write, json: { labels: [] } })).not.toBe('fail');
  expect(outcome(rule, { ...list, key: 'globex/full' }, { ...write, json: { labels: [] } })).toBe('fail');
});

it('says of a client whose id is no UUID nothing: both tenants may have one', () => {
  const read = (id: string): Line => ({ params: { id }, facts: { operation: 'getClient', owner: 'theirs' } });
  expect(outcome('isolation/reads-stay-in-tenant', read('ovcid-7'))).not.toBe('fail');
  expect(outcome('isolation/reads-stay-in-tenant', read(`ovcid-${conversation.id}`))).toBe('fail');
});

it('takes for words of a front what refuses lawful and unlawful requests of many operations that are answered otherwise at other times', () => {
  const operations = ['getHealth', 'listLabels', 'getConversation', 'getConversationContext'] as const;
  const asked = operations.flatMap((operation): Line[] => [
    { facts: { operation } },
    { ...none, facts: { operation, caller: 'none' } },
  ]);
  const api: Line[] = asked.map((line) => ({
    ...line,
    json: context,
    ...(line.key === null && { status: 403, json: { error: { code: 'NO_KEY', id: 3 } } }),
  }));
  const blocked = (code: string): Line[] =>
    asked.map((line) => ({ ...line, status: 403, json: { error: { code, id: 7 } } }));
  const rule = 'auth/key-in-x-api-key';
  // Five refusals in a row were an outage.
  const scattered = (lines: readonly Line[]) => lines.flatMap((line) => [line, ...api.slice(0, 2)]);
  const history = historyOf(...api, ...scattered(blocked('SUSPICIOUS')), ...api);
  expect(judgeBy(lawOf(rule), history)).toMatchObject({
    outcome: 'pass',
    message: 'acme/full was refused 4 times between 8.0 s and 26.0 s, as by a firewall',
  });
  // The API says so whenever there is no key.
  expect(outcome(rule, ...api, ...scattered(blocked('NO_KEY')))).toBe('inconclusive');
  // A key that is refused for good is no block, nor are two operations.
  expect(outcome(rule, ...api, ...scattered(blocked('SUSPICIOUS')), ...blocked('SUSPICIOUS').slice(0, 1))).toBe(
    'inconclusive',
  );
  expect(outcome(rule, ...api, ...scattered(blocked('SUSPICIOUS').slice(0, 4)))).toBe('inconclusive');
});

it('a store that takes nothing for a while, and everything before and after, was out', () => {
  const puts = (statuses: string) =>
    [...statuses].map((status, i) => {
      const demand = { succeeds: true, rule: 'upload/put-accepts-bytes' } as never;
      const put = {
        operation: 'storage',
        method: 'PUT',
        key: null,
        credential: 'none',
        params: { start: `${i}` },
      } as const;
      return { ...put, demand, status: status === '.' ? 200 : 403 };
    });
  const doubtsOf = (statuses: string) => {
    const history = historyOf(...puts(statuses));
    const exchanges = history.exchanges.map(({ facts: _, ...one }) => one as Exchange);
    return judgeReplies(trafficOf({ ...history, exchanges }), emptyEvidence().evidenceOf).doubts.length;
  };
  expect([doubtsOf('....xxxxxx....'), doubtsOf('..x.x.x.x.x.x..')]).toEqual([0, 1]);
});
