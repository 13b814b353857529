import { describe, expect, it } from 'vitest';
import { always, answer, asking, both, withBody } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { transport } from './transport.ts';

const everyReply = 'transport/json/every-reply';

it('passes on the mock', async () => {
  expect(oddities(await runVirtually(transport))).toEqual([]);
});

describe.each([
  ['health', /^GET \/v1\/health/],
  ['conversation', /^GET \/v1\/conversation\/[^/]+$/],
  ['context', /context$/],
  ['site', /^GET \/v1\/site/],
  ['client', /^GET \/v1\/client/],
  ['conversation-labels', /^PUT \/v1\/conversation/],
  ['conversation-labels', /^DELETE \/v1\/conversation/],
  ['site-labels', /^PUT \/v1\/site/],
  ['site-labels', /^DELETE \/v1\/site/],
  ['link-labels', /^PUT \/v1\/client/],
  ['link-labels', /^DELETE \/v1\/client/],
])('a reply of %s that is not JSON', (slug, request) => {
  it.each([
    ['text', 'OK'],
    ['nothing', ''],
    ['XML', '<labels/>'],
  ])('is seen: %s', async (_, body) => {
    const around = answer(asking(request), (reply) => ({ ...reply, body }));
    const record = await runVirtually(transport, { mock: { around } });
    expect(finders(record)).toEqual([`transport/json/${slug}`, everyReply]);
  });
});

it('sees the list of labels, and an upload, that are not JSON', async () => {
  let asked = 0;
  // The first question of a run is whether anybody is there; what is not JSON then ends it.
  const labels = answer(asking(/labels$/), (reply) => (asked++ > 0 ? { ...reply, body: 'vip' } : reply));
  expect(finders(await runVirtually(transport, { mock: { around: labels } }))).toEqual([
    'transport/json/labels-list',
    everyReply,
  ]);
  const uploads = answer(asking(/upload-url$/), (reply) => ({ ...reply, body: '' }));
  expect(finders(await runVirtually(transport, { mock: { around: uploads } }))).toEqual([
    'transport/json/upload-start',
    everyReply,
  ]);
});

it('sees JSON that is not understood', async () => {
  const refuse = (type: RegExp) =>
    answer(
      ({ headers }) => type.test(headers['content-type'] ?? ''),
      (reply) => ({ ...reply, status: 415 }),
    );
  expect(finders(await runVirtually(transport, { mock: { around: refuse(/charset/) } }))).toEqual([
    'transport/json-request/with-charset',
  ]);
  // The body with white space and escapes is the longer one.
  const picky = answer(
    ({ headers }) => Number(headers['content-length']) > 30 && headers['content-type'] === 'application/json',
    (reply) => ({ ...reply, status: 400 }),
  );
  expect(finders(await runVirtually(transport, { mock: { around: picky } }))).toEqual([
    'transport/json-request/spaced-and-escaped',
  ]);
  const forms = answer(
    both(asking(/upload-url$/), ({ headers }) => Number(headers['content-length']) === 28),
    (reply) => ({ ...reply, status: 415 }),
  );
  const { results } = await runVirtually(transport, { mock: { around: forms }, only: ['transport/json-request'] });
  expect(finders({ results })).toEqual(['transport/json-request/plain']);
});

it('sees something else that is taken for JSON', async () => {
  const around = answer(asking(/upload-url$/), (reply) => (reply.status === 400 ? { ...reply, status: 201 } : reply));
  expect(finders(await runVirtually(transport, { mock: { around } }))).toEqual(['transport/json-request/malformed']);
});

describe('a deployment of another kind', () => {
  it('may name another type, which is observed', async () => {
    const around = answer(always, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'text/plain' },
    }));
    const { results } = await runVirtually(transport, { mock: { around } });
    expect(finders({ results })).toEqual(['transport/json-content-type/every-reply']);
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });

  it.each(['application/json', 'application/problem+json; charset=utf-8'])('may say %s', async (type) => {
    const around = answer(always, (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': type } }));
    expect(oddities(await runVirtually(transport, { mock: { around } }))).toEqual([]);
  });

  it('may wrap everything in an envelope', async () => {
    const around = answer(always, (reply) => withBody(reply, (data) => ({ data })));
    expect(oddities(await runVirtually(transport, { mock: { around } }))).toEqual([]);
  });

  it('need not have what only the public reference has', async () => {
    const around = answer(asking(/^GET \/v1\/(site|client)/), () => ({ status: 404, headers: {}, body: '<html>' }));
    expect(oddities(await runVirtually(transport, { mock: { around } }))).toEqual([]);
  });
});
