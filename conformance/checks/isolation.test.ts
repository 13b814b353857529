import { describe, expect, it } from 'vitest';
import {
  type Around,
  always,
  answer,
  asking,
  both,
  carryOut,
  letIn,
  type When,
  withBody,
  withKey,
} from '../proof/around.ts';
import { finders, oddities, runVirtually, type VirtualRun } from '../proof/run-virtually.ts';
import { isolation } from './isolation.ts';

const ours = 'acmefull-fake-secret-0000000000000001';
const theirs = 'globfull-fake-secret-0000000000000101';
const theirLabel = '1abe[0-9a-f-]+00000000010[0-9]$';
const theirSite = 'ovaid-517e0001-0000-4000-8000-000000000101';
const ourConversation = 'c0000001-0000-4000-8000-000000000001';

/** The records of acme and of globex: their ids end otherwise. */
const ofOurs: When = ({ url }) => url.includes('-000000000001');
const ofTheirs: When = ({ url }) => url.includes('-000000000101');

/** Without the checks that search everything: they see whatever the others do. */
const pairs = isolation.filter(({ id }) => !id.startsWith('isolation/every-reply/'));
const found = async (around: Around, options: VirtualRun = {}) =>
  finders(await runVirtually(pairs, { mock: { around }, ...options }));

it('passes on the mock', async () => {
  expect(oddities(await runVirtually(isolation))).toEqual([]);
});

describe.each([
  ['conversation', /^GET \/v1\/conversation\/[^/]+$/],
  ['context', /^GET .*context$/],
  ['site', /^GET \/v1\/site\//],
  ['client', /^GET \/v1\/client\//],
  ['upload-start', /upload-url$/],
])('a leak through %s', (slug, request) => {
  it('of ours to the other tenant is seen', async () => {
    const when = both(asking(request), withKey(theirs), ofOurs);
    expect(await found(letIn(when, ours))).toEqual([`isolation/${slug}/ours`]);
  });

  it("of the other tenant's to us is seen", async () => {
    const when = both(asking(request), withKey(ours), ofTheirs);
    expect(await found(letIn(when, theirs))).toEqual([`isolation/${slug}/theirs`]);
  });
});

describe.each([
  ['conversation', /\/v1\/conversation/],
  ['site', /\/v1\/site\/ovaid/],
  ['link', /\/v1\/client/],
  ['legacy-site', /\/v1\/site\/10042/],
])('labels of a %s', (slug, path) => {
  it.each(['PUT', 'DELETE'])('that %s changes for the other tenant are seen', async (method) => {
    const when = both(asking(new RegExp(`^${method} ${path.source}.*label/`)), withKey(theirs));
    expect(await found(letIn(when, ours))).toEqual([`isolation/${slug}-labels/ours`]);
  });

  it.each(['PUT', 'DELETE'])('that %s changes behind a refusal are seen', async (method) => {
    const when = both(asking(new RegExp(`^${method} ${path.source}.*label/`)), withKey(theirs));
    expect(await found(carryOut(when, ours))).toEqual([`isolation/${slug}-labels/ours`]);
  });
});

it.each([
  ['conversation', 'PUT', /\/v1\/conversation/],
  ['site', 'DELETE', /\/v1\/site\/ovaid/],
  ['link', 'PUT', /\/v1\/client/],
])('labels of a %s that %s only claims to have changed are seen', async (slug, method, path) => {
  const when = both(asking(new RegExp(`^${method} ${path.source}.*001\\/label/`)), withKey(theirs));
  const around = answer(when, (reply) => ({ ...reply, status: 200, body: '{"labels":[]}' }));
  expect(await found(around)).toEqual([`isolation/${slug}-labels/ours`]);
});

it.each([
  ['conversation', /\/v1\/conversation\/.*101\//],
  ['site', /\/v1\/site\/.*101\//],
  ['link', /\/v1\/client\/.*101\//],
])('labels of a %s of the other tenant that we change are seen', async (slug, path) => {
  for (const method of ['PUT', 'DELETE']) {
    const when = both(asking(new RegExp(`^${method} ${path.source}label/`)), withKey(ours));
    const around = answer(when, (reply) => ({ ...reply, status: 200, body: '{"labels":[]}' }));
    expect(await found(around)).toEqual([`isolation/${slug}-labels/theirs`]);
  }
});

it.each([
  ['conversation', /\/v1\/conversation/],
  ['site', /\/v1\/site/],
  ['link', /\/v1\/client/],
])("a label of the other tenant's on our %s is seen", async (slug, path) => {
  const when = both(asking(new RegExp(`^PUT ${path.source}.*label/${theirLabel}`)), withKey(ours));
  const around = answer(when, (reply) => ({ ...reply, status: 200, body: '{"labels":[]}' }));
  expect(await found(around)).toEqual([`isolation/${slug}-labels/their-label`]);
});

it('a file of ours that the other tenant registers is seen', async () => {
  const when = both(asking(/^POST .*\/file$/), withKey(theirs));
  expect(await found(answer(when, (reply) => ({ ...reply, status: 201 })))).toEqual(['isolation/file-register/ours']);
});

it('a file of ours that the other tenant spoils is seen', async () => {
  let spoilt = '';
  const around: Around = (handle) => async (request, trace) => {
    const isRegistration = asking(/^POST .*\/file$/)(request);
    if (isRegistration && withKey(theirs)(request)) spoilt = 'yes';
    const reply = await handle(request, trace);
    return isRegistration && spoilt && withKey(ours)(request) ? { ...reply, status: 404 } : reply;
  };
  expect(await found(around)).toEqual(['isolation/file-register/ours']);
});

it('our legacy site in reply to the other tenant is seen', async () => {
  const when = both(asking(/^GET \/v1\/site\/10042/), withKey(theirs));
  expect(await found(letIn(when, ours))).toEqual(['isolation/legacy-site/ours']);
});

describe('an id that leaks where nobody asked for it', () => {
  const leak = (when: When, id: string): Around =>
    answer(both(asking(/context$/), when), (reply) =>
      reply.status === 200 ? withBody(reply, (body: object) => ({ ...body, hint: `see also ${id}` })) : reply,
    );

  it('is seen in replies to us', async () => {
    const around = leak(withKey(ours), theirSite);
    expect(finders(await runVirtually(isolation, { mock: { around } }))).toEqual([
      'isolation/every-reply/theirs-nowhere',
    ]);
  });

  it('is seen in replies to the other tenant', async () => {
    const around = leak(both(withKey(theirs), ofTheirs), ourConversation);
    expect(finders(await runVirtually(isolation, { mock: { around } }))).toEqual([
      'isolation/every-reply/ours-nowhere',
    ]);
  });

  it('is seen where the check runs alone', async () => {
    const { results } = await runVirtually(isolation, {
      mock: { around: leak(withKey(ours), theirSite) },
      only: ['isolation/every-reply'],
    });
    expect(finders({ results })).toEqual(['isolation/every-reply/theirs-nowhere']);
  });

  it('is none where it was asked for', async () => {
    const around = answer(always, (reply, { url }) =>
      reply.status >= 400 ? withBody(reply, (body: object) => ({ ...body, asked: url })) : reply,
    );
    expect(oddities(await runVirtually(isolation, { mock: { around } }))).toEqual([]);
  });
});

describe('a deployment of another kind', () => {
  it.each([403, 410, 422])('may refuse what is foreign with %s', async (status) => {
    const around = answer(always, (reply) => (reply.status === 404 ? { ...reply, status } : reply));
    expect(oddities(await runVirtually(isolation, { mock: { around } }))).toEqual([]);
  });

  it('may have one catalogue of labels for all tenants', async () => {
    const around = letIn(both(asking(/\/v1\/labels$/), withKey(theirs)), ours);
    const { results } = await runVirtually(isolation, { mock: { around } });
    expect(oddities({ results })).toEqual([]);
    expect(results.find(({ id }) => id === 'isolation/site-labels/their-label')?.message).toBe(
      'the other tenant lists no label that we do not',
    );
  });

  it('may have sites of the same bare id in both tenants', async () => {
    const record = await runVirtually(isolation, {
      describe: (target) => ({
        ...target,
        tenants: target.tenants.map((tenant) => ({ ...tenant, sites: { legacy: '10042' } })),
      }),
    });
    expect(oddities(record)).toEqual([]);
  });

  it('need not have what only the public reference has', async () => {
    const around = answer(asking(/^GET \/v1\/(site|client)\//), () => ({ status: 404, headers: {}, body: '' }));
    expect(oddities(await runVirtually(isolation, { mock: { around } }))).toEqual([]);
  });
});

it('cannot tell without the control of the owner', async () => {
  const around = answer(both(asking(/^GET .*context/), withKey(theirs), ofTheirs), (reply) => ({
    ...reply,
    status: 404,
  }));
  const { results } = await runVirtually(isolation, { mock: { around }, only: ['isolation/context'] });
  expect(results.find(({ id }) => id === 'isolation/context/theirs')?.outcome).toBe('inconclusive');
});

it('names what the target file would have to give', async () => {
  const { results } = await runVirtually(isolation, {
    describe: (target) => ({ ...target, tenants: target.tenants.slice(0, 1) }),
  });
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['not-run']));
});
