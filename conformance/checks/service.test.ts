import { describe, expect, it } from 'vitest';
import { type Around, always, answer, asking, letIn, rewrite, withBody, withKey } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { service } from './service.ts';

const full = 'acmefull-fake-secret-0000000000000001';
const none = 'acmenone-fake-secret-0000000000000002';

const health = /^GET \/v1\/health/;
const conversation = /^GET \/v1\/conversation\/[^/]+$/;
const site = /^GET \/v1\/site\//;
const client = /^GET \/v1\/client\//;

const status = (pattern: RegExp, to: number): Around => answer(asking(pattern), (reply) => ({ ...reply, status: to }));
const served = (pattern: RegExp, to: number): Around =>
  answer(asking(pattern), (reply) => (reply.status === 200 ? { ...reply, status: to } : reply));
const body = (pattern: RegExp, change: (body: object) => object): Around =>
  answer(asking(pattern), (reply) => (reply.status === 200 ? withBody(reply, change) : reply));

async function judged(around: Around) {
  const record = await runVirtually(service, { mock: { around } });
  return { ...record, found: finders(record), failed: record.results.filter(({ outcome }) => outcome === 'fail') };
}

it('passes on the mock, and learns what it does', async () => {
  const record = await runVirtually(service);
  expect(oddities(record)).toEqual([]);
  expect(record.profile.operations).toEqual({
    getHealth: { status: 200 },
    getConversation: { status: 200, scopes: ['conversation:read'] },
    getSite: { status: 200, scopes: ['site:read'] },
    getClient: { status: 200, scopes: ['client:read'] },
  });
});

describe('an endpoint that the specification names', () => {
  it.each([
    ['health', health],
    ['conversation', conversation],
  ])('is missed, with a warning: %s', async (slug, pattern) => {
    const { results } = await judged(status(pattern, 404));
    const [result] = results.filter(({ id }) => id === `service/named/${slug}`);
    expect(result?.outcome).toBe('warn');
  });

  it('may need scopes that are not shown', async () => {
    const { results } = await judged(status(conversation, 403));
    expect(results.find(({ id }) => id === 'service/named/conversation')?.outcome).toBe('inconclusive');
  });
});

describe('what is observed, and never failed', () => {
  it.each<[what: string, around: Around, found: readonly string[]]>([
    [
      'a conversation without urgency',
      body(conversation, ({ ...all }) => ({ ...all, urgency: undefined })),
      ['service/conversation-record/conversation'],
    ],
    [
      'a conversation whose status is a number',
      body(conversation, (all) => ({ ...all, status: 1 })),
      ['service/conversation-record/conversation'],
    ],
    ['a conversation read with 203', served(conversation, 203), ['service/conversation-record/conversation']],
    ['a site without id', body(site, (all) => ({ ...all, id: undefined })), ['service/reference-endpoints/site']],
    ['a site whose sla is text', body(site, (all) => ({ ...all, sla: '4h' })), ['service/reference-endpoints/site']],
    [
      'a client without a name',
      body(client, (all) => ({ ...all, name: undefined })),
      ['service/reference-endpoints/client'],
    ],
    [
      'a client whose email ids are numbers',
      body(client, (all) => ({ ...all, emails: [{ id: 1 }] })),
      ['service/reference-endpoints/client'],
    ],
    ['another health', body(health, () => ({ status: 'UP' })), ['service/reference-endpoints/health-is-ok']],
    [
      'health of another shape',
      body(health, () => ({ healthy: true })),
      ['service/reference-endpoints/health', 'service/reference-endpoints/health-is-ok'],
    ],
    [
      'health that needs a scope',
      answer(
        (request) => asking(health)(request) && withKey(none)(request),
        (reply) => ({ ...reply, status: 403 }),
      ),
      ['service/reference-endpoints/health-for-every-key'],
    ],
    [
      'a conversation without a scope',
      letIn(asking(conversation), full),
      ['service/conversation-record/conversation-scope'],
    ],
    ['a site without a scope', letIn(asking(site), full), ['service/reference-endpoints/site-scope']],
    ['a client without a scope', letIn(asking(client), full), ['service/reference-endpoints/client-scope']],
  ])('%s', async (_, around, expected) => {
    const { found, failed } = await judged(around);
    expect(found).toEqual(expected);
    expect(failed).toEqual([]);
  });
});

it('learns that an operation of the public reference is not there', async () => {
  const { profile, failed, results } = await judged(status(site, 404));
  expect(results.find(({ id }) => id === 'service/reference-endpoints/site')?.outcome).toBe('observed');
  expect(profile.operations?.getSite).toBeNull();
  expect(failed).toEqual([]);
});

it('learns scopes that are not asked for', async () => {
  const { profile } = await judged(letIn(asking(client), full));
  expect(profile.operations?.getClient).toEqual({ status: 200, scopes: [] });
});

describe('a deployment of another kind', () => {
  it('may add whatever it has, and leave out what need not be there', async () => {
    const around = answer(always, (reply) =>
      reply.status === 200
        ? withBody(reply, ({ address1: _, emails: __, sla: ___, ...all }: Record<string, unknown>) => ({
            ...all,
            more: null,
          }))
        : reply,
    );
    expect(oddities(await runVirtually(service, { mock: { around } }))).toEqual([]);
  });

  it('may have them at other paths', async () => {
    const around = rewrite((request) => ({ ...request, url: request.url.replace('/v1/places/', '/v1/site/') }));
    const record = await runVirtually(service, {
      mock: { around },
      describe: (target) => ({ ...target, operations: { getSite: { path: '/v1/places/{id}' } } }),
    });
    expect(oddities(record)).toEqual([]);
  });
});
