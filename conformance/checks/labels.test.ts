import { describe, expect, it } from 'vitest';
import { acme } from '../../mock/proof/acme.ts';
import { type Around, always, answer, asking, inTurn, type When, withBody } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { labels } from './labels.ts';

const spare = '1abe1008-0000-4000-8000-000000000008';
const hidden = { id: acme.privateLabel, name: 'internal-risk' };
const vip = { id: acme.vip, name: 'vip' };

interface Body {
  labels: { id: string; name: string }[];
}
const withLabels = (when: When, change: (labels: Body['labels']) => unknown): Around =>
  answer(when, (reply) =>
    reply.status >= 300 ? reply : withBody(reply, (body: Body) => ({ ...body, labels: change(body.labels) })),
  );
const status = (when: When, to: number): Around =>
  answer(when, (reply) => ({ ...reply, status: to, body: '{"error":{"code":"X","message":"no"}}' }));

const spared = (method: string, place = '.*') => asking(new RegExp(`^${method} /v1/${place}/label/${spare}`));
const inOpen = `conversation/${acme.open}`;
const inSite = `site/${acme.site}`;
const inLegacy = 'site/10042';
const inLink = 'client/.*';

/** Of several requests alike, those after the first. */
const again = (when: When): When => {
  let seen = 0;
  return (request) => {
    if (request.method === 'DELETE') seen = 0;
    return when(request) && ++seen > 1;
  };
};

/** A write is answered as if it were done, and is not. */
const onlySaid =
  (when: When, change: (labels: Body['labels']) => unknown): Around =>
  (handle) =>
  async (request) => {
    if (!when(request)) return handle(request);
    const other = { ...request, method: 'PUT', url: request.url.replace(spare, acme.vip) };
    const reply = await handle(other);
    return withBody(reply, (body: Body) => ({ ...body, labels: change(body.labels) }));
  };

/** A removal of the spare label takes another one too. */
const alsoRemoving =
  (other: string): Around =>
  (handle) =>
  async (request) => {
    if (spared('DELETE', inOpen)(request)) await handle({ ...request, url: request.url.replace(spare, other) });
    return handle(request);
  };

it('passes on the mock, and leaves it as it was', async () => {
  expect(oddities(await runVirtually(labels))).toEqual([]);
});

const added = (all: Body['labels']) => [...all, { id: spare, name: 'spare' }];
const defects: readonly [does: string, around: Around, found: readonly string[]][] = [
  ['applying is only said, not stored', onlySaid(spared('PUT', inSite), added), ['labels/apply-adds/current-site']],
  [
    'removing is only said, not stored',
    onlySaid(spared('DELETE', inOpen), (all) => all.filter(({ id }) => id !== spare)),
    ['labels/remove-removes/open-conversation'],
  ],
  [
    'a private label in the list',
    withLabels(asking(/GET .*labels$/), (all) => [...all, hidden]),
    ['labels/private-hidden/list', 'labels/private-hidden/every-reply'],
  ],
  [
    'a private label in sets of a link',
    withLabels(asking(/DELETE .*client.*label/), (all) => [...all, hidden]),
    ['labels/private-hidden/link', 'labels/private-hidden/every-reply'],
  ],
  [
    'a private name in the context alone',
    answer(asking(/context$/), (reply) =>
      withBody(reply, (body: { labels: string[] }) => ({ ...body, labels: [...body.labels, hidden.name] })),
    ),
    ['labels/private-hidden/open-conversation', 'labels/private-hidden/every-reply'],
  ],
  [
    'applying answers the one label alone',
    withLabels(asking(/PUT .*conversation/), (all) => all.filter(({ id }) => id === spare)),
    ['labels/apply-reply/open-conversation'],
  ],
  [
    'removing answers no label',
    withLabels(asking(/DELETE .*conversation/), () => []),
    ['labels/remove-reply/open-conversation'],
  ],
  [
    'removing from a link answers nothing',
    answer(asking(/DELETE .*client/), (reply) => ({ ...reply, status: 204, body: null })),
    ['labels/remove-reply/link'],
  ],
  [
    'a site set without siteId',
    answer(asking(/PUT .*site\/10042/), (reply) => withBody(reply, ({ labels: all }: Body) => ({ labels: all }))),
    ['labels/site-set/legacy-site'],
  ],
  [
    'a site set of bare ids',
    withLabels(asking(/PUT .*\/v1\/site/), (all) => all.map(({ id }) => id)),
    ['labels/site-set/current-site'],
  ],
  [
    'a label twice',
    withLabels(asking(/PUT .*\/v1\/site/), (all) => [...all, ...all]),
    ['labels/is-a-set/current-site'],
  ],
  [
    'a closed conversation cannot be labelled',
    status(asking(new RegExp(`PUT .*${acme.closed}/label`)), 409),
    ['labels/closed-conversation'],
  ],
  [
    'a private label can be applied',
    status(asking(new RegExp(`PUT .*${inLegacy}/label/${hidden.id}`)), 200),
    ['labels/private-apply/legacy-site'],
  ],
  [
    'a private label can be removed',
    status(asking(new RegExp(`DELETE .*${inOpen}/label/${hidden.id}`)), 200),
    ['labels/private-remove/open-conversation'],
  ],
  [
    'removing takes another label too',
    alsoRemoving('1abe1003-0000-4000-8000-000000000003'),
    ['labels/remove-removes/open-conversation'],
  ],
  [
    'an id that is no UUID',
    withLabels(asking(/GET .*labels$/), (all) => [...all, { id: '7', name: 'seven' }]),
    ['labels/list'],
  ],
  [
    'a list without the spare label',
    withLabels(asking(/GET .*labels$/), (all) => all.filter(({ id }) => id !== spare)),
    ['labels/list'],
  ],
];

describe.each(defects)('where %s', (_, around, found) => {
  it('the checks for it find it', async () => {
    const record = await runVirtually(labels, { mock: { around } });
    expect(finders(record)).toEqual(expect.arrayContaining([...found]));
    expect(record.results.filter(({ outcome }) => outcome === 'error')).toEqual([]);
  });
});

describe('a second apply', () => {
  it.each(['open-conversation', 'current-site', 'link'])('that is refused on %s is found', async (place) => {
    const pattern = { 'open-conversation': inOpen, 'current-site': inSite, link: inLink }[place] ?? '';
    const only = [`labels/apply-again/${place}`];
    const around: Around = (handle, mock) => status(again(spared('PUT', pattern)), 409)(handle, mock);
    expect(finders(await runVirtually(labels, { mock: { around }, only }))).toEqual(only);
  });
});

describe('removing what is not carried', () => {
  it('is found where it is refused, although the path of the removal is only assumed', async () => {
    const carried = new Set<string>();
    const around: Around = (handle) => (request) => {
      const { method, url } = request;
      if (url.includes(spare) && method === 'PUT') carried.add(url);
      if (!url.includes(spare) || method !== 'DELETE' || carried.delete(url)) return handle(request);
      return { status: 404, headers: {}, body: '{"error":{"code":"NOT_FOUND","message":"not carried"}}' };
    };
    const record = await runVirtually(labels, { mock: { around } });
    expect(finders(record).filter((id) => !id.startsWith('labels/remove-again/'))).toEqual([]);
    expect(finders(record)).toHaveLength(5);
  });

  it('applies nothing where the removal has another path than assumed', async () => {
    let writes = 0;
    const around: Around = (handle) => (request) => {
      if (request.method === 'PUT') writes++;
      if (request.method !== 'DELETE') return handle(request);
      return { status: 404, headers: {}, body: `{"error":"code":"NOT_FOUND","message":"No ${request.url}"}` };
    };
    const record = await runVirtually(labels, { mock: { around } });
    expect(finders(record)).toEqual([]);
    expect(writes).toBe(0);
    expect(record.results.find(({ id }) => id === 'labels/apply-adds/link')?.message).toContain(
      'operations.removeClientSiteLabel',
    );
  });
});

const reshaped = (change: (body: Body, url: string) => unknown): Around =>
  answer(asking(/label/), (reply, { url }) =>
    reply.status >= 300 ? reply : withBody(reply, (body: Body) => change(body, url)),
  );
const legal: readonly [does: string, around: Around][] = [
  ['bare arrays of ids', reshaped((body, url) => (url.includes('/v1/site/') ? body : body.labels.map(({ id }) => id)))],
  [
    'names in an envelope',
    reshaped((body, url) =>
      url.includes('/v1/site/') || url.endsWith('labels')
        ? body
        : { data: { labels: body.labels.map(({ name }) => name) } },
    ),
  ],
  [
    'records of other names, and the request repeated',
    reshaped((body, url) => ({
      ...body,
      labelId: url.split('/').at(-1),
      labels: body.labels.map(({ id, name }) => ({ labelId: id, title: name, colour: 'red' })),
    })),
  ],
  ['labels in another order each time', withLabels(always, (all) => (Array.isArray(all) ? [...all].reverse() : all))],
  ['400 and 403 for private labels', status(asking(new RegExp(hidden.id)), 403)],
  ['a context without labels', answer(asking(/context$/), (reply) => withBody(reply, () => ({})))],
];

describe.each(legal)('where a deployment answers with %s', (_, around) => {
  it.each([1, 2])('nothing is failed, seed %i', async (seed) => {
    const record = await runVirtually(labels, { mock: { around, seed, latency: (random) => 20 + 100 * random() } });
    expect(
      record.results
        .filter(({ outcome }) => !['pass', 'observed'].includes(outcome))
        .map(({ id, message }) => `${id}: ${message}`),
    ).toEqual([]);
  });
});

describe('a bad network', () => {
  it.each([1, 2, 3])('fails nothing, seed %i', async (seed) => {
    const drops = (random: () => number) => random() < 0.1;
    const latency = (random: () => number) => (random() < 0.02 ? 2000 : 200 * random());
    const record = await runVirtually(labels, { mock: { seed, drops, latency } });
    expect(finders(record)).toEqual([]);
  });
});

it('puts a private label back where it could be taken off', async () => {
  const sent: string[] = [];
  const wrong = status(asking(new RegExp(`DELETE .*${hidden.id}`)), 200);
  const note: Around = (handle) => (request, trace) => {
    sent.push(`${request.method} ${request.url}`);
    return handle(request, trace);
  };
  await runVirtually(labels, {
    mock: { around: inTurn(wrong, note) },
    only: ['labels/private-remove/open-conversation'],
  });
  expect(sent.filter((line) => line.includes(hidden.id))).toEqual([
    `DELETE /v1/${inOpen}/label/${hidden.id}`,
    `PUT /v1/${inOpen}/label/${hidden.id}`,
  ]);
  expect(vip.id).toBe(acme.vip);
});
