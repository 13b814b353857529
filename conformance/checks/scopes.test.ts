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
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { scopes } from './scopes.ts';

const full = 'acmefull-fake-secret-0000000000000001';
const none = 'acmenone-fake-secret-0000000000000002';
const siteWriter = 'acmesitw-fake-secret-0000000000000010';
const clientWriter = 'acmecliw-fake-secret-0000000000000008';

const lacking: When = ({ headers }) => headers['x-api-key'] !== full;
// Without limits: what is carried out on the side takes from the bucket of the key that it borrows.
const found = async (around: Around) => finders(await runVirtually(scopes, { mock: { around, rateLimit: false } }));

it('passes on the mock, where every scope is needed', async () => {
  const record = await runVirtually(scopes);
  expect(oddities(record)).toEqual([]);
  expect(record.profile.operations).toEqual({
    listLabels: { scopes: [] },
    applySiteLabel: { scopes: ['site:write'] },
    removeSiteLabel: { scopes: ['site:write'] },
    applyClientSiteLabel: { scopes: ['client:write', 'site:write'] },
    registerSiteFile: { scopes: ['siteFile:write'] },
  });
});

/** Operations whose scope nobody asks for, and the checks that see it. */
const unguarded: readonly [what: string, when: When, checks: readonly string[]][] = [
  [
    'reading a context',
    asking(/^GET .*context/),
    ['scopes/context/without-conversation-read', 'scopes/missing-is-403/context'],
  ],
  [
    'starting an upload',
    asking(/upload-url$/),
    ['scopes/upload-start/without-site-file-write', 'scopes/missing-is-403/upload-start'],
  ],
  [
    'applying a label to a conversation',
    asking(/^PUT \/v1\/conversation/),
    [
      'scopes/conversation-labels/without-conversation-write',
      'scopes/missing-is-403/conversation-labels/conversation-write',
    ],
  ],
  [
    'removing a label from a conversation',
    asking(/^DELETE \/v1\/conversation/),
    [
      'scopes/conversation-labels/without-conversation-write',
      'scopes/missing-is-403/conversation-labels/conversation-write',
    ],
  ],
  [
    'removing a label from a link, of client:write',
    both(asking(/^DELETE \/v1\/client/), withKey(siteWriter)),
    ['scopes/link-label-remove/without-client-write', 'scopes/missing-is-403/link-label-remove/client-write'],
  ],
  [
    'removing a label from a link, of site:write',
    both(asking(/^DELETE \/v1\/client/), withKey(clientWriter)),
    ['scopes/link-label-remove/without-site-write', 'scopes/missing-is-403/link-label-remove/site-write'],
  ],
  ['labels of a site', asking(/\/v1\/site\/.*label/), ['scopes/unnamed/site-labels']],
  ['applying a label to a link', asking(/^PUT \/v1\/client/), ['scopes/unnamed/link-labels']],
  ['registering a file', asking(/\/file$/), ['scopes/unnamed/file-register/without-site-file-write']],
];

describe.each(unguarded)('%s without a scope', (_, when, checks) => {
  it('is seen by the checks of just that', async () => {
    const record = await runVirtually(scopes, { mock: { around: letIn(both(when, lacking), full) } });
    expect(finders(record).sort()).toEqual([...checks].sort());
    expect(new Set(record.results.map(({ outcome }) => outcome))).toEqual(new Set(outcomesOf(checks)));
  });
});

const outcomesOf = (checks: readonly string[]) =>
  checks.every((id) => id.startsWith('scopes/unnamed/')) ? ['pass', 'observed'] : ['pass', 'observed', 'fail'];

it('sees one key of many that gets through', async () => {
  const reader = 'acmeusrr-fake-secret-0000000000000012';
  expect(await found(letIn(both(asking(/context$/), withKey(reader)), full))).toEqual([
    'scopes/context/without-conversation-read',
  ]);
});

it('fails a refusal of another status than 403', async () => {
  const around = answer(lacking, (reply) => (reply.status === 403 ? { ...reply, status: 401 } : reply));
  const failed = (await found(around)).filter((id) => !id.startsWith('scopes/unnamed/'));
  expect(failed).toEqual(scopes.map(({ id }) => id).filter((id) => id.startsWith('scopes/missing-is-403/')));
});

it.each([
  ['PUT', 'conversation', ['scopes/missing-is-403/conversation-labels/conversation-write']],
  ['DELETE', 'conversation', ['scopes/missing-is-403/conversation-labels/conversation-write']],
  [
    'DELETE',
    'client',
    ['scopes/missing-is-403/link-label-remove/client-write', 'scopes/missing-is-403/link-label-remove/site-write'],
  ],
])('fails a 403 after which %s of a label of a %s was carried out', async (method, of, checks) => {
  const when = both(lacking, asking(new RegExp(`^${method} /v1/${of}/.*label/`)));
  expect(await found(carryOut(when, full))).toEqual(checks);
});

it.each([
  ['GET .*context', 'acmeconr-fake-secret-0000000000000005', 'context'],
  ['POST', 'acmefilw-fake-secret-0000000000000011', 'upload-start'],
  ['PUT', 'acmeconw-fake-secret-0000000000000006', 'conversation-labels'],
  ['DELETE /v1/conversation', 'acmeconw-fake-secret-0000000000000006', 'conversation-labels'],
])('fails where %s asks for more than the named scope', async (request, secret, slug) => {
  const when = both(asking(new RegExp(`^${request}`)), withKey(secret));
  expect(await found(answer(when, (reply) => ({ ...reply, status: 403 })))).toEqual([`scopes/suffices/${slug}`]);
});

it('fails where both scopes of a link do not suffice', async () => {
  const when = asking(/^DELETE \/v1\/client/);
  const around = answer(when, (reply) => ({ ...reply, status: 403 }));
  const { results } = await runVirtually(scopes, { mock: { around }, only: ['scopes/suffices'] });
  expect(finders({ results })).toEqual(['scopes/suffices/link-label-remove']);
});

it('observes a list of labels that a key without scopes does not get', async () => {
  const when = both(asking(/labels$/), withKey(none));
  const { results, profile } = await runVirtually(scopes, {
    mock: { around: answer(when, (reply) => ({ ...reply, status: 403 })) },
    only: ['scopes/unnamed/labels-list'],
  });
  expect(finders({ results })).toEqual(['scopes/unnamed/labels-list']);
  expect(profile.operations?.listLabels).toBeUndefined();
});

it('never fails a gateway that refuses in its own words', async () => {
  const around = answer(always, (reply) =>
    reply.status === 403 ? withBody(reply, () => ({ message: 'Forbidden' })) : reply,
  );
  expect(oddities(await runVirtually(scopes, { mock: { around } }))).toEqual([]);
});

it('names the key that the target file would have to give', async () => {
  const { results, exitCode } = await runVirtually(scopes, {
    describe: (target) => ({
      ...target,
      tenants: target.tenants.map((tenant) => ({ ...tenant, keys: tenant.keys.slice(0, 1) })),
    }),
  });
  expect(results.find(({ id }) => id === 'scopes/missing-is-403/upload-start')).toMatchObject({
    outcome: 'not-run',
    message: 'the target file lacks tenants[0].keys: a key without siteFile:write and site:write',
  });
  expect(exitCode).toBe(3);
});
