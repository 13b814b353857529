import { describe, expect, it } from 'vitest';
import { type Around, always, answer, asking, rewrite, type When } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { ids } from './ids.ts';

const current = 'ovaid-517e0001-0000-4000-8000-000000000001';
const found = async (around: Around) => finders(await runVirtually(ids, { mock: { around } }));
const status = (when: When, to: number) => answer(when, (reply) => ({ ...reply, status: to }));

it('passes on the mock, which has its labels back after', async () => {
  expect(oddities(await runVirtually(ids))).toEqual([]);
});

describe.each([
  ['current-site', current],
  ['legacy-site', '10042'],
])('a %s that is not found by its id', (slug, id) => {
  it('is seen when an upload is started', async () => {
    const { results } = await runVirtually(ids, {
      mock: { around: status(asking(new RegExp(`${id}/file`)), 404) },
      only: [`ids/${slug}`],
    });
    expect(finders({ results })).toEqual([`ids/${slug}/upload-start`]);
  });

  it.each(['PUT', 'DELETE'])('is seen by %s of a label', async (method) => {
    const around = status(asking(new RegExp(`^${method} /v1/site/${id}/label`)), 400);
    const { results } = await runVirtually(ids, { mock: { around }, only: [`ids/${slug}/labels`] });
    expect(finders({ results })).toEqual([`ids/${slug}/labels`]);
  });
});

it.each(['PUT', 'DELETE'])('fails a legacy site alone that %s of a label does not find', async (method) => {
  const around = status(asking(new RegExp(`^${method} /v1/site/10042/label`)), 404);
  const { results } = await runVirtually(ids, { mock: { around }, only: ['ids/legacy-site'] });
  expect(finders({ results })).toEqual(['ids/legacy-site/labels-like-current']);
});

it('fails a site without an id that takes uploads', async () => {
  expect(await found(rewrite((request) => ({ ...request, url: request.url.replace('//', `/${current}/`) })))).toEqual([
    'ids/site-id/empty',
  ]);
});

const full = {
  conversation: 'c0000001-0000-4000-8000-000000000001',
  label: '1abe1008-0000-4000-8000-000000000008',
};

/** A look-up that is too kind: requests with that form of the id arrive as if it were right. */
function forgiving(id: string, how: 'not-a-uuid' | 'number' | 'truncated' | 'extended', request: RegExp): Around {
  const wrong = { 'not-a-uuid': 'not-a-uuid', number: '(?<=/)1', truncated: id.slice(0, -1), extended: `${id}0` }[how];
  const pattern = new RegExp(`${wrong}(?=/|$)`);
  return rewrite((asked) => (asking(request)(asked) ? { ...asked, url: asked.url.replace(pattern, id) } : asked));
}

describe.each(['not-a-uuid', 'number', 'truncated', 'extended'] as const)(
  'a look-up that takes an id that is %s',
  (how) => {
    it.each([
      ['conversation-id/context', full.conversation, /^GET .*context/],
      ['conversation-id/conversation', full.conversation, /^GET \/v1\/conversation\/[^/]+$/],
      ['conversation-id/label-remove', full.conversation, /^DELETE \/v1\/conversation/],
      ['label-id/conversation-label-remove', full.label, /^DELETE \/v1\/conversation/],
      ['label-id/site-label-remove', full.label, /^DELETE \/v1\/site\/ovaid/],
      ['label-id/legacy-site-label-remove', full.label, /^DELETE \/v1\/site\/10042/],
      ['label-id/link-label-remove', full.label, /^DELETE \/v1\/client/],
      ['label-id/conversation-label-apply', full.label, /^PUT \/v1\/conversation/],
      ['label-id/site-label-apply', full.label, /^PUT \/v1\/site\/ovaid/],
      ['label-id/link-label-apply', full.label, /^PUT \/v1\/client/],
    ])('is seen: %s', async (slug, id, request) => {
      expect(await found(forgiving(id, how, request))).toEqual([`ids/malformed/${slug}`]);
    });
  },
);

it.each([
  ['none', /client\/c11e/],
  ['that of a site', /client\/ovaid-/],
])('fails a client that is found under %s of its prefix', async (_, wrong) => {
  const around = rewrite((request) => ({
    ...request,
    url: request.url.replace(wrong, 'client/ovcid-').replace('ovcid-0001', 'ovcid-c11e0001'),
  }));
  expect(await found(around)).toEqual(['ids/malformed/client-id/link-label-remove']);
});

describe('a deployment of another kind', () => {
  it.each([404, 422, 403])('may refuse a malformed id with %s', async (to) => {
    expect(
      oddities(
        await runVirtually(ids, {
          mock: { around: answer(always, (reply) => (reply.status === 400 ? { ...reply, status: to } : reply)) },
        }),
      ),
    ).toEqual([]);
  });

  it('may start an upload with another success', async () => {
    expect(
      oddities(
        await runVirtually(ids, {
          mock: {
            around: answer(asking(/upload-url/), (reply) => (reply.status === 201 ? { ...reply, status: 200 } : reply)),
          },
        }),
      ),
    ).toEqual([]);
  });

  it('that serves labels of a site at another path is told to say so', async () => {
    const { results } = await runVirtually(ids, {
      mock: { around: status(asking(/\/v1\/site\/.*label/), 404) },
      only: ['ids/legacy-site/labels'],
    });
    const [result] = results.filter(({ outcome }) => outcome !== 'not-selected');
    expect(result).toMatchObject({ outcome: 'inconclusive' });
    expect(result?.message).toContain('give operations.');
  });

  it('is judged at the paths that the target file gives', async () => {
    const around = rewrite((request) => ({ ...request, url: request.url.replace('/tags/', '/label/') }));
    const record = await runVirtually(ids, {
      mock: { around },
      describe: (target) => ({
        ...target,
        operations: {
          applySiteLabel: { path: '/v1/site/{id}/tags/{labelId}' },
          removeSiteLabel: { path: '/v1/site/{id}/tags/{labelId}' },
        },
      }),
    });
    expect(oddities(record)).toEqual([]);
  });
});
