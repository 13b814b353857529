import { describe, expect, it } from 'vitest';
import type { ApiReply } from '../../mock/index.ts';
import { type Around, always, answer, asking, both, type When, withBody } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { badRequests } from './bad-requests.ts';
import { errors } from './errors.ts';

const json = (body: unknown) => (reply: ApiReply) => ({ ...reply, body: JSON.stringify(body) });
const refused =
  (change: (reply: ApiReply) => ApiReply, statuses: (status: number) => boolean = (status) => status >= 400) =>
  (reply: ApiReply) =>
    statuses(reply.status) ? change(reply) : reply;
const judged = (around: Around) => runVirtually(errors, { mock: { around } });
const ofKind = (kind: string) => errors.map(({ id }) => id).filter((id) => id.startsWith(`errors/${kind}/`));
const everyBody = 'errors/body/every-reply';

/** Which request each bad one is, and how it is answered. */
const when: Readonly<Record<string, When>> = {
  'malformed-conversation-id': asking(/^GET .*0-not-a-uuid\/context/),
  'malformed-label-id': asking(/^DELETE .*label\/0-not-a-uuid/),
  'malformed-client-id': asking(/^DELETE \/v1\/client\/c11e/),
  'unknown-client': both(asking(/^GET \/v1\/client\//), ({ url }) => !url.includes('c11e0001')),
  'unknown-link': both(asking(/^DELETE \/v1\/client\/ovcid/), ({ url }) => !url.includes('c11e0001')),
  'foreign-conversation': asking(/^GET .*000000000101\/context/),
  'foreign-client': asking(/^GET \/v1\/client\/.*000000000101/),
  'foreign-link': asking(/^DELETE \/v1\/client\/.*000000000101\/label/),
  'foreign-site': asking(/^POST .*000000000101\/file\/upload-url/),
};

it('passes on the mock, and learns how it refuses', async () => {
  const record = await runVirtually(errors);
  expect(oddities(record)).toEqual([]);
  expect(Object.keys(record.profile.errors ?? {}).sort()).toEqual(
    [...badRequests.map(({ refusal }) => refusal), 'unknown-path', 'wrong-method', 'not-json'].sort(),
  );
  expect(record.profile.errors?.['private-label']).toEqual({ status: 404, code: 'NOT_FOUND', body: 'error' });
});

describe('the error body', () => {
  it.each<[what: string, change: (reply: ApiReply) => ApiReply]>([
    ['HTML', (reply) => ({ ...reply, body: '<h1>Not Found</h1>' })],
    ['nothing', (reply) => ({ ...reply, body: '' })],
    ['a message alone', json({ message: 'no' })],
    ['error as text', json({ error: 'Not Found' })],
    ['no code', json({ error: { message: 'no' } })],
    ['no message', json({ error: { code: 'NO' } })],
    ['a number for a code', json({ error: { code: 404, message: 'no' } })],
    ['null for a message', json({ error: { code: 'NO', message: null } })],
    ['errors in a list', json({ errors: [{ code: 'NO', message: 'no' }] })],
    ['a list', json([{ error: { code: 'NO', message: 'no' } }])],
  ])('is not %s', async (_, change) => {
    const { results } = await runVirtually(errors, {
      mock: { around: answer(asking(/^(GET .*context|POST)/), refused(change)) },
      only: ['errors/body'],
    });
    const expected = badRequests
      .filter(({ id }) => /Context|File/.test(id))
      .map(({ refusal }) => `errors/body/${refusal}`);
    expect(finders({ results })).toEqual([...expected, everyBody]);
  });

  it.each(Object.entries(when))('is judged in the reply to %s alone', async (refusal, which) => {
    const { results } = await judged(answer(which, refused(json({}))));
    const found = finders({ results }).filter((id) => id.startsWith('errors/body/'));
    // A foreign client or link is unknown as well to whom it does not belong.
    expect(found).toContain(`errors/body/${refusal}`);
    expect(found.filter((id) => id !== everyBody && !id.endsWith(refusal.replace(/^\w+/, '')))).toEqual([]);
  });

  it('is judged on one status of many', async () => {
    const around = answer(
      always,
      refused(json({ error: 'no' }), (status) => status === 400),
    );
    const { results } = await judged(around);
    const malformed = badRequests
      .filter(({ fault }) => fault === 'form')
      .map(({ refusal }) => `errors/body/${refusal}`);
    expect(finders({ results }).filter((id) => id.startsWith('errors/body'))).toEqual([...malformed, everyBody]);
  });

  it('is judged in every reply of the run', async () => {
    const around = answer(
      both(asking(/upload-url/), ({ headers }) => headers['content-length'] === '20'),
      refused(json({})),
    );
    expect(finders(await judged(around))).toEqual([everyBody]);
  });

  it("of a refusal of what is foreign is not a gateway's to give", async () => {
    const around = answer(asking(/000000000101\/context/), (reply) => ({ ...reply, status: 403, body: '<html>' }));
    expect(finders(await judged(around))).toEqual(['errors/body/foreign-conversation', everyBody]);
  });

  it.each<[what: string, around: Around]>([
    [
      '403 of a gateway',
      answer(asking(/000000000101/), (reply) => json({ message: 'Forbidden' })({ ...reply, status: 403 })),
    ],
    [
      '403 for a key, whatever it says',
      answer(
        ({ headers }) => !headers['x-api-key']?.startsWith('acme'),
        (reply) => ({ ...reply, body: '<html>' }),
      ),
    ],
    [
      '404 where an operation is at another path than we assume',
      answer(asking(/label\/|^GET \/v1\/client/), (reply) => ({ ...reply, status: 404, body: 'no route' })),
    ],
    [
      '415 of a gateway',
      answer(
        always,
        refused(json({ message: 'no' }), (status) => status === 415),
      ),
    ],
    ['paths that nobody has', answer(asking(/no-such-path|^PATCH/), (reply) => ({ ...reply, body: '<html>' }))],
  ])('is not asked of a %s', async (_, around) => {
    const { results } = await judged(around);
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });

  it('may hold more', async () => {
    const more = refused((reply) =>
      withBody(reply, (body: { error?: object }) => ({
        ...body,
        error: { ...body.error, details: [] },
        requestId: 'x',
      })),
    );
    expect(oddities(await judged(answer(always, more)))).toEqual([]);
  });
});

describe('statuses that are observed', () => {
  it.each(badRequests.map((bad) => [bad.refusal, bad] as const))('%s', async (refusal, { fault }) => {
    const { results, profile } = await judged(
      answer(
        always,
        refused(
          (reply) => ({ ...reply, status: 422 }),
          (status) => status === 400 || status === 404,
        ),
      ),
    );
    const id = `errors/${fault === 'form' ? 'invalid' : 'unknown'}/${refusal}`;
    const result = results.find((one) => one.id === id);
    expect(result).toMatchObject({ outcome: 'observed' });
    expect(result?.observed).toContain('422');
    expect(profile.errors?.[refusal]?.status).toBe(422);
  });

  it('may be 403 for what is foreign', async () => {
    const around = answer(
      asking(/000000000101/),
      refused((reply) => ({ ...reply, status: 403 })),
    );
    const found = finders(await judged(around));
    expect(found.filter((id) => id.startsWith('errors/unknown'))).toEqual([]);
  });

  it.each([
    ['unknown-path', /no-such-path/],
    ['wrong-method', /^PATCH/],
    ['not-json', /^POST/],
  ])('of requests that lead nowhere: %s', async (refusal, request) => {
    const around = answer(
      asking(request),
      refused(
        (reply) => ({ ...reply, status: 400 }),
        (status) => status !== 400,
      ),
    );
    const { results, profile } = await runVirtually(errors, { mock: { around }, only: ['errors/routing'] });
    expect(finders({ results })).toEqual([`errors/routing/${refusal}`]);
    expect(profile.errors).toMatchObject({ [refusal]: { status: 400 } });
  });

  it('asks for Allow', async () => {
    const around = answer(asking(/^PATCH/), (reply) => ({ ...reply, headers: {} }));
    expect(finders(await judged(around))).toEqual(['errors/routing/wrong-method']);
  });

  it('are told with their codes', async () => {
    const around = answer(asking(/context/), refused(json({ error: { code: 'GONE', message: 'no' } })));
    const { results } = await judged(around);
    expect(finders({ results })).toEqual(['errors/codes/every-reply']);
    expect(results.find(({ id }) => id === 'errors/codes/every-reply')?.observed).toContain('404 GONE or NOT_FOUND');
  });
});

describe('the statuses of upload-url', () => {
  const statuses = ofKind('upload-statuses');
  const uploads = (to: number) =>
    answer(
      asking(/upload-url/),
      refused((reply) => ({ ...reply, status: to })),
    );

  it.each([405, 409, 418, 501])('do not have %s among them', async (status) => {
    const found = finders(await judged(uploads(status)));
    expect(found.filter((id) => id.startsWith('errors/upload-statuses'))).toEqual(statuses);
  });

  it.each([400, 401, 403, 404, 422, 500])('have %s among them', async (status) => {
    const found = finders(await judged(uploads(status)));
    expect(found.filter((id) => id.startsWith('errors/upload-statuses'))).toEqual([]);
  });

  it.each([413, 415])('leave %s to what stands in front of the service', async (status) => {
    const found = finders(await judged(uploads(status)));
    expect(found.filter((id) => id.startsWith('errors/upload-statuses'))).toEqual([]);
  });

  it.each([
    ['no-key', ({ headers }) => !headers['x-api-key']],
    ['unknown-key', ({ headers }) => !headers['x-api-key']?.startsWith('acme') && headers['x-api-key'] !== undefined],
    ['null-content-type', ({ headers }) => headers['content-length'] === '20'],
    ['text-body', ({ headers }) => headers['content-length'] === '12'],
    ['foreign-site', asking(/000000000101\/file/)],
  ] satisfies [string, When][])('are judged one by one: %s', async (slug, which) => {
    const around = answer(
      both(asking(/upload-url/), which),
      refused((reply) => ({ ...reply, status: 418 })),
    );
    const found = finders(await judged(around)).filter((id) => id.startsWith('errors/upload-statuses'));
    expect(found).toEqual([`errors/upload-statuses/${slug}`, 'errors/upload-statuses/every-reply']);
  });
});

it('sends nothing that does harm where everything is let through', async () => {
  const sent: string[] = [];
  const around: Around = (handle) => (request, trace) => {
    sent.push(`${request.method} ${request.url.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`);
    return handle(request, trace);
  };
  const { results } = await runVirtually(errors, { mock: { around }, readOnly: true });
  expect(sent.filter((line) => /^(PUT|PATCH)/.test(line))).toEqual([
    'PUT /v1/conversation/…/label/…',
    'PATCH /v1/labels',
  ]);
  expect(results.filter(({ outcome }) => outcome === 'not-selected').map(({ id }) => id)).toEqual([
    'errors/body/malformed-label-id',
    'errors/body/malformed-client-id',
    'errors/body/unknown-link',
    'errors/body/unknown-label',
    'errors/body/foreign-link',
    'errors/invalid/malformed-client-id',
  ]);
});
