import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Request } from '../contract/request.ts';
import { deploymentOf } from '../target/deployment.ts';
import { holdersOf } from '../target/records.ts';
import type { Bench } from './bench.ts';
import { RecordModel } from './model.ts';
import { RecordUnderTest } from './record.ts';

const spare = { id: '1abe1008-0000-4000-8000-000000000008', name: 'spare' };
const keys = [{ name: 'full', secret: 'acme-secret', scopes: ['conversation:read', 'conversation:write'] }];
const conversations = { open: 'c0000001-0000-4000-8000-000000000001' };
const { tenant, ...deployment } = deploymentOf(
  parseTarget(
    { baseUrl: 'http://127.0.0.1', tenants: [{ name: 'acme', keys, conversations, spareLabel: spare }] },
    {},
    't',
  ),
);

/** A conversation whose contexts show these labels, one after the other, and a write all that it carries. */
function recordShowing(...contexts: readonly string[]) {
  const [known] = holdersOf(tenant);
  if (known === undefined) throw new Error('no conversation');
  const record = new RecordUnderTest(known, tenant);
  const view = { at: ['labels'], pick: [], tokens: new Map([[spare.id, 'spare']]) };
  const views = new Map(
    (['getConversationContext', 'applyConversationLabel'] as const).map((operation) => [operation, view] as const),
  );
  record.model = new RecordModel({ views, foreign: new Map([[view, new Set(['vip'])]]) });
  const state = { lag: 0, trialsOf: new Map<string, number>() };
  let [now, at] = [0, 0];
  const bench = {
    ...{ state, deployment: { tenant, ...deployment } },
    scene: { now: () => now, planning: false, exposures: { writesTo: () => 0 } },
    async sleep(milliseconds: number) {
      now += milliseconds;
    },
    send: async ({ operation, label }: Request, { step }: { step?: object }) => {
      const labels = operation === 'getConversationContext' ? contexts[at++]?.split(' ') : ['vip', 'spare'];
      const params = { labelId: label?.id ?? '' };
      return { operation, params, step, status: 200, headers: {}, body: JSON.stringify({ labels }) };
    },
  } as unknown as Bench;
  return { record, bench, state };
}

it('learns how long reads lag from labels that it has written, and not from those that others take off again', async () => {
  const own = recordShowing('vip spare', 'vip', 'vip spare', 'vip');
  expect(await own.record.look(own.bench, { rule: 'labels/remove-removes' })).toEqual([]);
  expect(own.state.lag).toBe(0);
  await own.record.write(own.bench, 'remove', spare.id);
  expect(await own.record.look(own.bench, { rule: 'labels/remove-removes' })).toEqual([]);
  expect(own.state.lag).toBe(2_000);
  const others = recordShowing('vip new', 'vip');
  expect(await others.record.look(others.bench, { rule: 'labels/remove-removes' })).toEqual([]);
  expect(others.state.lag).toBe(0);
});

it('looks again for what it has just put on', async () => {
  const { record, bench } = recordShowing('vip', 'vip', 'vip spare');
  expect(await record.establish(bench, new Set([spare.id]))).toBe(true);
});

it('does not know what a record carries where neither the look nor a write is served', async () => {
  const establish = (status: number) => {
    const { record, bench } = recordShowing();
    const failing = { ...bench, send: async (one: Request) => ({ ...one, params: {}, status }) } as unknown as Bench;
    return record.establish(failing, new Set([spare.id]));
  };
  expect([await establish(500), await establish(409)]).toEqual([false, true]);
});

it('waits for a missing effect of each rule as long as copies may lag, until the rule was tried', async () => {
  const missing = (times: number) => Array.from({ length: times }, () => 'vip');
  const { record, bench, state } = recordShowing(...missing(12), ...missing(5), 'vip spare', ...missing(12));
  await record.write(bench, 'apply', spare.id);
  const look = (rule: RuleId) => record.look(bench, { rule });
  expect(await look('labels/apply-adds')).toHaveLength(1);
  state.trialsOf.set('labels/apply-adds', 1);
  record.forget();
  expect(await look('labels/apply-is-idempotent')).toHaveLength(0);
  expect(await look('labels/closed-conversation-can-be-labelled')).toEqual([]);
  expect(state.lag).toBe(30_000);
});

it('asks for a label that is no spare one as for one that does not exist: where there is one spare label, another is made up', () => {
  const { record, bench } = recordShowing();
  const who = { caller: 'valid', key: null } as unknown as Request['who'];
  const kindOf = (label: string) => record.request(bench, 'apply', label, { who }).label?.kind;
  expect([spare.id, spare.id.toUpperCase(), '469b502c-f974-4c77-9c02-ef30669655d7'].map(kindOf)).toEqual([
    'spare',
    'spare',
    'unknown',
  ]);
});
