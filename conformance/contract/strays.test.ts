import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { Exchange } from '../history/exchange.ts';
import { deploymentOf } from '../target/deployment.ts';
import { straysIn } from './strays.ts';

const [open, closed] = ['c0000001-0000-4000-8000-000000000001', 'c0000001-0000-4000-8000-000000000002'];
const keys = [{ name: 'full', secret: 'acme-secret', scopes: ['conversation:read'] }];
const tenants = [{ name: 'acme', keys, conversations: { open, closed } }];
const deployment = deploymentOf(parseTarget({ baseUrl: 'http://127.0.0.1', tenants }, {}, 'test'));
const message = { author: 'Desk', createdAt: '2026-11-20T08:00:00Z', text: 'It is done.' };

const read = (id: string, sentAt: number, doneAt: number, messages: unknown[] = []): Exchange =>
  ({
    ...{ operation: 'getConversationContext', key: 'acme/full', params: { id }, status: 200, url: id, headers: {} },
    ...{ requestHeaders: {}, facts: { operation: 'getConversationContext', caller: 'valid', owner: 'ours' } },
    ...{ sentAt, doneAt, body: JSON.stringify({ messages }) },
  }) as unknown as Exchange;
const home = [read(closed, 0, 1, [message]), read(closed, 2, 3, [message])];

it('a message of another conversation comes and goes', () => {
  const reads = [read(open, 10, 20), read(open, 30, 40, [message]), read(open, 50, 60)];
  expect([...straysIn([...home, ...reads], deployment)].map(({ exchange }) => exchange.sentAt)).toEqual([30]);
});

it('a message that was written to both is missing from a reply that was overtaken', () => {
  const reads = [read(open, 10, 20), read(open, 30, 40, [message]), read(open, 29, 60), read(open, 70, 80, [message])];
  expect([...straysIn([...home, ...reads], deployment)]).toEqual([]);
});
