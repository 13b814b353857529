import { expect, test } from 'vitest';
import { instead } from '../../../mock/proof/tampering/tamper.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { HookCall } from '../../hooks/hook-call.ts';
import { tooManyRequests } from '../../proof/tampering/limiters.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { judgeBy } from '../judging/judge.ts';
import { keyLife } from './key-life.ts';

const rules = new Set(keyLife.map(({ rule }) => rule));
const { history: good } = await tryDefect(null, { rules });

const judged = (history: History) => keyLife.map((law) => judgeBy(law, history));
const failing = (history: History) =>
  judged(history)
    .filter(({ outcome }) => outcome === 'fail')
    .map(({ id }) => id);

const withExchange = (meant: (exchange: Exchange) => boolean, changes: Partial<Exchange>): History => {
  const found = good.exchanges.findIndex(meant);
  if (found < 0) throw new Error('there is no such exchange');
  return { ...good, exchanges: good.exchanges.map((one, index) => (index === found ? { ...one, ...changes } : one)) };
};
const withCalls = (hook: HookCall['hook'], change: (call: HookCall) => HookCall): History => ({
  ...good,
  hooks: good.hooks.map((call) => (call.hook === hook ? change(call) : call)),
});
const keysIn = ({ output }: HookCall) =>
  (output as { readonly keys: readonly Readonly<Record<string, unknown>>[] }).keys;

test('the correct history gives evidence for every law and breaks none', () => {
  expect(judged(good).map(({ outcome }) => outcome)).toEqual(keyLife.map(() => 'pass'));
});

test('the history contains no secret', () => {
  for (const call of good.hooks)
    expect(String((call.output as { secret?: unknown } | undefined)?.secret ?? '$')).toMatch(/^\$/);
});

test.each<[what: string, history: History, rule: string]>([
  [
    'a revoked key that reads once more',
    withExchange(({ key, operation }) => key?.endsWith(', revoked') === true && operation === 'getSite', {
      status: 200,
    }),
    'keys/revocation-is-immediate-and-listed',
  ],
  [
    'a list without marks',
    withCalls('listKeys', (call) => ({ ...call, output: { keys: keysIn(call).map(({ state: _, ...key }) => key) } })),
    'keys/revocation-is-immediate-and-listed',
  ],
  [
    'a new secret that is refused',
    withExchange(
      ({ key, operation, sentAt }) => {
        const renewed = good.hooks.find(
          ({ hook, tenant, input }) => hook === 'regenerateKey' && key === `${tenant}/${input.name}`,
        );
        return renewed !== undefined && sentAt >= renewed.doneAt && operation === 'listLabels';
      },
      { status: 403 },
    ),
    'keys/regeneration-issues-a-new-secret',
  ],
  [
    'a secret in the list',
    withCalls('listKeys', (call) => ({ ...call, output: { ...keysIn(call), seen: '$ACME_FULL_KEY' } })),
    'keys/secret-shown-only-once',
  ],
  [
    'a key without its name',
    withCalls('listKeys', (call) => ({ ...call, output: { keys: [] } })),
    'keys/created-with-name-and-scopes',
  ],
  [
    'a raised limit that has no effect',
    withExchange(({ key }) => key?.endsWith(', raised') === true, { status: 429 }),
    'limiter/limits-can-be-raised',
  ],
])('%s', (_, history, rule) => {
  expect(failing(history)).toContain(rule);
});

test('records whether the old secret still works, without a failure', () => {
  const history = withExchange(({ credential }) => credential === 'replaced', { status: 200 });
  expect(failing(history)).toEqual([]);
  const { message } = judged(history).find(({ id }) => id === 'keys/regeneration-issues-a-new-secret') ?? {};
  expect(message).toContain('the old secret works for a while');
});

test('where every key is limited otherwise than documented, what a raise does is not told', async () => {
  const { history } = await tryDefect(
    {
      id: 'test',
      breaks: 'limiter/burst',
      does: 'throttles every key after five requests within a second',
      around: (scene) => {
        const windows = new Map<string, number>();
        return instead(({ key, mock }) => {
          const window = `${key?.name} ${Math.floor(mock.clock.now() / 1000)}`;
          windows.set(window, (windows.get(window) ?? 0) + 1);
          return (windows.get(window) ?? 0) > 5 ? tooManyRequests(1_000) : undefined;
        })(scene);
      },
    },
    { rules: new Set(['limiter/burst', 'limiter/limits-can-be-raised']) },
  );
  expect(judged(history).find(({ id }) => id === 'limiter/limits-can-be-raised')?.outcome).toBe('inconclusive');
});
