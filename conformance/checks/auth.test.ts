import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../mock/index.ts';
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
import { auth } from './auth.ts';

const full = 'acmefull-fake-secret-0000000000000001';
const revoked = 'acmerevk-fake-secret-0000000000000003';

const header = (name: string) => (request: ApiRequest) => request.headers[name];
const hasNoKey: When = (request) =>
  withKey(undefined)(request) &&
  !header('authorization')(request) &&
  !header('cookie')(request) &&
  !request.url.includes('?');
const hasEmptyKey: When = ({ headers }) => headers['x-api-key'] === '';
const isUnknown: When = ({ headers }) => /^[0-9a-f-]{36}$/.test(headers['x-api-key'] ?? '');
const isBearer: When = ({ headers }) => headers.authorization?.startsWith('Bearer ') ?? false;

const ofWay = (way: string) => auth.map(({ id }) => id).filter((id) => id.startsWith(`auth/${way}/`));

/** What each way of getting in without a right reaches, and which checks must see it, no more and no fewer. */
const ways: readonly [what: string, when: When, way: string][] = [
  ['no key', both(hasNoKey, (request) => !hasEmptyKey(request)), 'no-key'],
  ['an empty key', both(hasNoKey, hasEmptyKey), 'empty-key'],
  ['an unknown key', isUnknown, 'unknown-key'],
  ['a revoked key', withKey(revoked), 'revoked-key'],
  ['a Bearer token', isBearer, 'bearer'],
  ['a key in the query', ({ url }) => url.includes('api_key='), 'key-in-query'],
  ['a key in a cookie', ({ headers }) => headers.cookie !== undefined, 'key-in-cookie'],
  ['a key as Authorization', both((request) => header('authorization')(request) === full), 'key-as-authorization'],
];

/** Checks whose precondition is the refusal that the defect takes away. */
const withoutForbidden = auth.filter(({ id }) => !id.startsWith('auth/forbidden-body/'));

it('passes on the mock, and leaves it as it was', async () => {
  expect(oddities(await runVirtually(auth))).toEqual([]);
});

describe.each(ways)('where %s gets in', (_, when, way) => {
  it('every check of this way fails, and no other', async () => {
    const record = await runVirtually(withoutForbidden, { mock: { around: letIn(when, full) } });
    expect(finders(record)).toEqual(ofWay(way));
  });
});

describe.each(ways.filter(([, , way]) => ofWay(way).some((id) => id.endsWith('-labels'))))(
  'where %s is refused and the write carried out',
  (_, when, way) => {
    it.each(['conversation', 'site', 'link'])('the check of labels on a %s fails', async (place) => {
      const path = { conversation: /conversation/, site: /v1\/site/, link: /v1\/client/ }[place] ?? /never/;
      for (const method of ['PUT', 'DELETE']) {
        const writes = both(when, asking(new RegExp(`^${method} .*${path.source}.*/label/`)));
        const record = await runVirtually(withoutForbidden, { mock: { around: carryOut(writes, full) } });
        expect(finders(record)).toEqual([`auth/${way}/${place}-labels`]);
      }
    });
  },
);

const status = (when: When, to: number): Around =>
  answer(when, (reply) => (reply.status === 403 ? { ...reply, status: to } : reply));

describe('the status of a refusal', () => {
  it.each(ways.slice(0, 4))('is 403 for %s', async (_, when, way) => {
    const record = await runVirtually(withoutForbidden, { mock: { around: status(when, 401) } });
    expect(finders(record)).toEqual(ofWay(way));
  });

  it.each(ways.slice(4))('may be 401 for %s, of which only the refusal is documented', async (_, when) => {
    expect(oddities(await runVirtually(withoutForbidden, { mock: { around: status(when, 401) } }))).toEqual([]);
  });
});

it('fails where a valid key is refused', async () => {
  const conversationReader = 'acmeconr-fake-secret-0000000000000005';
  const refuse = (when: When) => ({
    mock: { around: answer(when, (reply) => ({ ...reply, status: 403 })) },
    only: ['auth/valid-key'],
  });
  expect(finders(await runVirtually(auth, refuse(withKey(conversationReader))))).toEqual(['auth/valid-key/context']);
  expect(finders(await runVirtually(auth, refuse(asking(/^POST/))))).toEqual(['auth/valid-key/upload-start']);
});

describe('a gateway that answers in its own way', () => {
  const around = answer(always, (reply) =>
    reply.status === 403 ? { ...reply, body: '{"message":"Forbidden"}' } : reply,
  );

  it('is warned of, never failed', async () => {
    const { results, profile } = await runVirtually(auth, { mock: { around } });
    const warned = results.filter(({ outcome }) => outcome === 'warn').map(({ id }) => id);
    expect(warned).toEqual(ofWay('forbidden-body'));
    expect(results.filter(({ outcome }) => outcome !== 'warn' && outcome !== 'pass')).toEqual([]);
    expect(profile.errors?.['no-key']).toEqual({ status: 403, body: 'message' });
  });

  it('has nothing to judge where there is no 403', async () => {
    const { results } = await runVirtually(auth, {
      mock: { around: status(always, 404) },
      only: ['auth/forbidden-body'],
    });
    expect(new Set(results.filter(({ outcome }) => outcome !== 'not-selected').map(({ outcome }) => outcome))).toEqual(
      new Set(['inconclusive']),
    );
  });
});

describe('a deployment of another kind', () => {
  it('without what only the public reference has is not judged for it', async () => {
    const around = answer(asking(/^GET \/v1\/(site|client)\//), () => ({ status: 404, headers: {}, body: '<html>' }));
    expect(oddities(await runVirtually(auth, { mock: { around } }))).toEqual([]);
  });

  it('without an operation that the specification does not describe is not held to it', async () => {
    const { results, exitCode } = await runVirtually(auth, {
      describe: (target) => ({ ...target, operations: { ...target.operations, removeSiteLabel: null, getSite: null } }),
    });
    expect(results.filter(({ outcome }) => outcome !== 'pass').map(({ outcome }) => outcome)).toEqual(
      new Array(12).fill('not-selected'),
    );
    expect(exitCode).toBe(0);
  });

  const names = (when: When) =>
    answer(both(asking(/\/label\//), when), (reply) =>
      reply.status === 200
        ? withBody(reply, ({ labels }: { labels: { name: string }[] }) => labels.map(({ name }) => name))
        : reply,
    );

  it('that answers names of labels alone is judged all the same', async () => {
    expect(oddities(await runVirtually(auth, { mock: { around: names(always) } }))).toEqual([]);
  });

  it('of whose labels only the id is known cannot be told', async () => {
    const { results } = await runVirtually(auth, {
      mock: { around: names(always) },
      only: ['auth/no-key'],
      describe: (target) => ({
        ...target,
        tenants: target.tenants.map(({ spareLabel, ...tenant }) => ({
          ...tenant,
          ...(spareLabel && { spareLabel: { id: spareLabel.id } }),
        })),
      }),
    });
    const [site] = results.filter(({ id }) => id === 'auth/no-key/site-labels');
    expect(site).toMatchObject({ outcome: 'inconclusive' });
    expect(site?.message).toContain('give spareLabel.name');
  });

  it('that does not answer the lawful request cannot be told', async () => {
    const around = answer(asking(/^GET .*context/), (reply) => ({ ...reply, status: 404 }));
    const { results } = await runVirtually(auth, { mock: { around }, only: ['auth/no-key'] });
    expect(results.find(({ id }) => id === 'auth/no-key/context')?.outcome).toBe('inconclusive');
  });
});
