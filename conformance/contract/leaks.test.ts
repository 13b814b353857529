import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { Exchange } from '../history/exchange.ts';
import { deploymentOf } from '../target/deployment.ts';
import { privatesIn } from '../verdict/private-labels.ts';
import { leaksIn } from './leaks.ts';

const tenant = (name: string, id: number) => ({
  name,
  keys: [{ name: 'full', secret: `${name}-secret`, scopes: ['conversation:read'] }],
  conversations: {
    open: `c000000${id}-0000-4000-8000-000000000001`,
    closed: `c000000${id}-0000-4000-8000-000000000002`,
  },
});
const tenants = [tenant('acme', 1), tenant('globex', 2)];
const deployment = deploymentOf(parseTarget({ baseUrl: 'http://127.0.0.1', tenants }, {}, 'test'));
const words = 'Your appointment is tomorrow between nine and eleven.';

/** A tenant reads one of its conversations, in which these messages are. */
const read = (name: string, id: string, text: string, author = 'Desk'): Exchange =>
  ({
    ...{ operation: 'getConversationContext', key: `${name}/full`, params: { id }, status: 200, url: id, headers: {} },
    ...{ requestHeaders: {}, facts: { operation: 'getConversationContext', caller: 'valid', owner: 'ours' } },
    body: JSON.stringify({ messages: [{ author, createdAt: '2026-11-20T08:00:00Z', text }] }),
  }) as unknown as Exchange;
const leaks = (...reads: Exchange[]) => [...leaksIn(reads, deployment)].length;

it('a message of one conversation is its owner’s, and one that was written to many is not', () => {
  const idOf = (n: number, which: 'open' | 'closed') => tenants[n]?.conversations[which] ?? '';
  const others = read('acme', idOf(0, 'closed'), 'Something else that somebody has written here.');
  expect(leaks(read('acme', idOf(0, 'open'), words), others, read('globex', idOf(1, 'open'), words))).toBe(2);
  const many = (['open', 'closed'] as const).map((one) => read('acme', idOf(0, one), words));
  const both = (['open', 'closed'] as const).map((one) => read('globex', idOf(1, one), words));
  expect(leaks(...many, ...both)).toBe(0);
});

it('the same words at the same time by another author are another message, as where both tenants were made from one template', () => {
  const [acme, globex] = tenants.map(({ name, conversations }) => [name, conversations.open ?? '', words] as const);
  if (acme && globex) expect(leaks(read(...acme, 'Nils of acme'), read(...globex, 'Lea of globex'))).toBe(0);
  if (acme && globex) expect(leaks(read(...acme, 'Nils of acme'), read(...globex, 'Nils of acme'))).toBe(2);
});

it('a message that comes again at another time is a machine’s, which may write to others at the same moment', () => {
  const text = 'Label spare was removed by an integration';
  const messages = ['08', '09'].map((hour) => ({ createdAt: `2026-11-20T${hour}:00:00Z`, text }));
  const both = (times: number) =>
    tenants.map(({ name, conversations }) => ({
      ...read(name, conversations.open ?? '', ''),
      body: JSON.stringify({ messages: messages.slice(0, times) }),
    }));
  expect([leaks(...both(1)), leaks(...both(2))]).toEqual([2, 0]);
});

it('a message that names a spare label tells of the run, which is the same in both tenants', () => {
  const spareLabel = { id: '1abe1008-0000-4000-8000-000000000008', name: 'spare' };
  const here = { baseUrl: 'http://127.0.0.1', tenants: tenants.map((one) => ({ ...one, spareLabel })) };
  const both = tenants.map(({ name, conversations }) =>
    read(name, conversations.open ?? '', 'Label spare was added by an integration'),
  );
  expect([...leaksIn(both, deploymentOf(parseTarget(here, {}, 'test')))]).toEqual([]);
});

it('the name of a client in a refusal to another tenant is a leak, unless that one has a client of this name', () => {
  const clients = [{ name: 'Dana Whitfield' }];
  const [acme, globex] = tenants.map(({ name, conversations }) => ({
    ...read(name, conversations.open ?? '', ''),
    body: JSON.stringify({ messages: [], participants: { clients } }),
  }));
  const refusal = {
    ...read('globex', tenants[0]?.conversations.open ?? '', ''),
    ...{ status: 404, facts: { operation: 'getConversationContext', caller: 'valid', owner: 'theirs' } },
    body: JSON.stringify({ error: { code: 'NOT_FOUND', message: 'Dana Whitfield has no such site' } }),
  } as unknown as Exchange;
  if (acme) expect(leaks(acme, refusal)).toBe(1);
  if (acme && globex) expect(leaks(acme, globex, refusal)).toBe(0);
});

it('a client who asks one tenant only and stands among the clients of another says nothing for certain', () => {
  const person = (name: string) => ({ name, primaryEmail: `${name.replace(' ', '.')}@mail.example` });
  const context = (name: string, n: number, requester: string, clients: readonly string[]) => ({
    ...read(name, tenants[n]?.conversations.open ?? '', ''),
    body: JSON.stringify({ messages: [], requester, participants: { agents: [], clients: clients.map(person) } }),
  });
  const open = (...reads: readonly Exchange[]) =>
    [...leaksIn(reads, deployment)].map(({ what, isOpen }) => `${what.slice(0, 9)} ${isOpen ?? false}`);
  const own = context('globex', 1, 'Lea Frey', ['Lea Frey']);
  const joined = context('acme', 0, 'Urs Keller', ['Urs Keller', 'Lea Frey']);
  expect(open(own, joined, joined)).toEqual(['Lea Frey  true', 'Lea Frey  true']);
  // Not all replies about the record show her.
  const alone = context('acme', 0, 'Urs Keller', ['Urs Keller']);
  expect(open(own, joined, alone)).toEqual(['Lea Frey  false']);
  expect(open(own, alone)).toEqual([]);
  // She asks both.
  expect(open(own, joined, context('acme', 0, 'Lea Frey', ['Lea Frey']))).toEqual([]);
});

it('a private label is shown by a list, and not by a sentence that somebody wrote', () => {
  const hidden = { id: '1abe9001-0000-4000-8000-000000000901', name: 'internal-risk' };
  const [acme] = tenants;
  const here = { baseUrl: 'http://127.0.0.1', tenants: [{ ...acme, privateLabel: hidden }] };
  const shows = (more: object) =>
    [
      ...privatesIn(
        [{ ...read('acme', 'x', words), body: JSON.stringify(more) }],
        deploymentOf(parseTarget(here, {}, 'test')),
      ),
    ].length;
  expect(shows({ labels: ['internal-risk'] })).toBe(1);
  expect(shows({ labels: 'vip, internal-risk' })).toBe(1);
  expect(shows({ shortSummary: 'We should set internal-risk here.' })).toBe(0);
  // A person may be named so, and then is in other replies as well.
  expect(shows({ requester: 'Internal-Risk', contact: 'internal-risk' })).toBe(0);
});

it('both tenants may have labels of one name', () => {
  const name = 'warranty (2 years)';
  const listed = { ...read('globex', '', ''), operation: 'listLabels', body: JSON.stringify([{ id: 'x', name }]) };
  const facts = { operation: 'listLabels', caller: 'valid', owner: null, label: null, mutation: null };
  const list = { ...listed, facts } as unknown as Exchange;
  expect(leaks(read('acme', tenants[0]?.conversations.open ?? '', name), list)).toBe(0);
});

it('a conversation of another tenant that a site shows is a leak, and the same words under another number are none', () => {
  const told = (name: string, n: number, friendlyId: string): Exchange => {
    const associatedConversations = [{ friendlyId, subject: words, statusLastUpdatedAt: '2026-11-20T08:00:00Z' }];
    const sites = [{ id: 'x', associatedConversations }];
    return { ...read(name, tenants[n]?.conversations.open ?? '', ''), body: JSON.stringify({ messages: [], sites }) };
  };
  expect(leaks(told('acme', 0, 'C-1041'), told('globex', 1, 'C-1041'))).toBeGreaterThan(0);
  expect(leaks(told('acme', 0, 'C-1041'), told('globex', 1, 'C-7'))).toBe(0);
  // Its owner may be shown it in another form.
  const record = { friendlyId: 'C-1041', subject: words, status: 'open', updatedAt: '2026-11-20T08:00:00Z' };
  const idOf = (n: number) => tenants[n]?.conversations.open ?? '';
  const own = { ...read('globex', idOf(1), ''), body: JSON.stringify(record) };
  expect(leaks(told('acme', 0, 'C-1041'), own)).toBe(1);
  // A tenant that was made from the same template has a conversation of its own.
  const ofTemplate = { ...read('acme', idOf(0), ''), url: 'record', operation: 'getConversation' as const };
  const same = { ...ofTemplate, body: JSON.stringify(record) };
  expect(leaks(told('acme', 0, 'C-1041'), own, same, same)).toBe(0);
});

it('a label that a list shows is another tenant’s where only that one can put it on, and of a catalogue where both can', () => {
  const id = '1abe1101-0000-4000-8000-000000000001';
  const list = {
    ...read('acme', 'x', words),
    operation: 'listLabels',
    body: JSON.stringify({ labels: [{ id, name: 'vip' }] }),
  };
  const apply = (name: string, status: number, operation = 'applySiteLabel') => ({
    ...{ ...read(name, 'x', words), operation, status, params: { id: 'x', labelId: id }, url: id, body: id },
    facts: { operation, caller: 'valid', owner: 'ours', label: 'spare', mutation: null },
  });
  const facts = { operation: 'listLabels', caller: 'valid', owner: null, label: null, mutation: null };
  const shown = (...applies: object[]) => leaks(...([{ ...list, facts }, ...applies] as Exchange[]));
  expect(shown(apply('globex', 200), apply('acme', 404))).toBe(1);
  expect(shown(apply('globex', 200), apply('acme', 404), apply('acme', 200))).toBe(0);
  expect(shown(apply('globex', 200), apply('acme', 404, 'removeSiteLabel'))).toBe(0);
  expect(shown(apply('globex', 200), apply('acme', 403))).toBe(0);
});
