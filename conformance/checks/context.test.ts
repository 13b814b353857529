import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../mock/index.ts';
import { answer, asking, rewrite, type When, withBody } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { context } from './context.ts';

type Json = ReturnType<typeof JSON.parse>;

const open: When = asking(/^GET .*c0000001-0000-4000-8000-000000000001\/context/);
const closed: When = asking(/^GET .*c0000002-0000-4000-8000-000000000002\/context/);

/** The mock, with something changed in the context of some conversations. */
const changed = (change: (body: Json) => void, when: When = open) =>
  runVirtually(context, {
    mock: {
      around: answer(when, (reply) =>
        reply.status === 200
          ? withBody(reply, (body: Json) => {
              change(body);
              return body;
            })
          : reply,
      ),
    },
  });

it('passes on the mock', async () => {
  expect(oddities(await runVirtually(context))).toEqual([]);
});

/** Puts a value in place of another: `messages.0.isInternal`. */
const put =
  (place: string, value: unknown) =>
  (body: Json): void => {
    const steps = place.split('.');
    const last = steps.pop() ?? '';
    const holder = steps.reduce((inner, step) => inner[step], body);
    holder[last] = value;
  };

const each = (rule: string, before: string, names: readonly string[], value: unknown) =>
  names.map((name) => [rule, `${before}${name}`, value] as const);

const associated = ['friendlyId', 'subject', 'status', 'statusLastUpdatedAt', 'issue', 'resolution', 'shortSummary'];

/** Each a value of another type than the specification tells, where it stands, and the rule that it breaks. */
const defects: readonly (readonly [rule: string, place: string, value: unknown])[] = [
  ...each('context/strings', '', ['subject', 'status', 'type', 'urgency', 'requester'], 7),
  ['context/labels-are-strings', 'labels', [{ name: 'vip' }]],
  ['context/labels-are-strings', 'labels', 'vip, warranty'],
  ['context/labels-are-strings', 'labels', [null]],
  ['context/messages', 'messages', { 1: {} }],
  ['context/messages', 'messages', ['hello']],
  ...each('context/messages', 'messages.2.', ['author', 'role', 'createdAt', 'text', 'rawBody'], { value: 'x' }),
  ['context/messages', 'messages.0.isInternal', 'false'],
  ['context/messages', 'messages.0.isInternal', 0],
  ...each('context/messages', 'messages.0.attachments.1.', ['type', 'title', 'content', 'transcriptionId'], 1),
  ['context/messages', 'messages.0.attachments', {}],
  ['context/participants', 'participants', []],
  ['context/participants', 'participants.agents', [{ name: 'x' }]],
  ['context/participants', 'participants.clients', ['Dana']],
  ...each('context/participants', 'participants.clients.0.', ['name', 'primaryPhoneNumber', 'primaryEmail'], ['x']),
  ['context/sites', 'sites', { id: '7' }],
  ...each('context/sites', 'sites.0.', ['address', 'serviceLevel', 'id'], { line1: 'x' }),
  ...each('context/sites', 'sites.0.associatedConversations.0.', associated, 1001),
  ['context/sites', 'sites.0.associatedConversations', {}],
];

describe('a value of another type', () => {
  it.each(defects)('breaks %s: %s', async (rule, place, value) => {
    const record = await changed(put(place, value));
    expect(finders(record).filter((id) => !id.startsWith('context/labels-are-names'))).toEqual([`${rule}/open`]);
    expect(record.results.find(({ id }) => id === `${rule}/open`)?.outcome).toBe('fail');
  });

  it('is seen in a closed conversation', async () => {
    expect(finders(await changed(put('sites.0.id', 1), closed))).toEqual(['context/sites/closed']);
  });
});

it.each([
  ['open', open],
  ['closed', closed],
])('fails where the %s conversation has no context', async (slug, when) => {
  const around = answer(when, (reply) => ({ ...reply, status: 404 }));
  const { results } = await runVirtually(context, { mock: { around } });
  expect(finders({ results })).toEqual([`context/get/${slug}`]);
  expect(results.find(({ id }) => id === `context/messages/${slug}`)?.outcome).toBe('inconclusive');
});

it('fails a context that is no object', async () => {
  const around = answer(open, (reply) => withBody(reply, (body) => [body]));
  const { results } = await runVirtually(context, { mock: { around }, only: ['context/get'] });
  expect(finders({ results })).toEqual(['context/get/open']);
});

it('fails an object that is no context', async () => {
  const around = answer(open, (reply) => withBody(reply, () => ({ hello: 'world' })));
  const { results } = await runVirtually(context, { mock: { around }, only: ['context/get'] });
  expect(finders({ results })).toEqual(['context/get/open']);
});

it('fails the record in place of the context', async () => {
  const around = rewrite((request) => ({ ...request, url: request.url.replace(/\/context$/, '') }));
  const { results } = await runVirtually(context, { mock: { around }, only: ['context/get'] });
  expect(finders({ results })).toEqual(['context/get/not-the-record']);
});

describe('a deployment of another kind', () => {
  it.each(['status', 'labels', 'sites'])('may leave out everything but %s', async (kept) => {
    const { results } = await changed((body) => {
      for (const name of Object.keys(body)) if (name !== kept) delete body[name];
    });
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(results.find(({ id }) => id === 'context/participants/open')?.message).toBe(
      'not there, so not judged: participants',
    );
  });

  it('may leave out anything further down', async () => {
    const record = await changed((body) => {
      body.messages = [{}, { attachments: [{}] }];
      body.participants = { clients: [{}] };
      body.sites = [{}, { associatedConversations: [{}] }];
    });
    expect(oddities(record)).toEqual([]);
  });

  it('may add whatever it has', async () => {
    const record = await changed((body) => {
      body.extra = { deep: [1, null] };
      body.messages[0].id = 1;
      body.sites[0].associatedConversations[0].extra = null;
    });
    expect(oddities(record)).toEqual([]);
    expect(record.results.find(({ id }) => id === 'context/any-field-may-be-absent/open')?.message).toContain(
      'unknown: messages[].id, sites[].associatedConversations[].extra, extra',
    );
  });

  it('may have null for what has no value, which is observed', async () => {
    const { results } = await changed((body) => {
      body.requester = null;
      body.messages[0].attachments = null;
      body.sites[0].associatedConversations[0].resolution = null;
    });
    expect(finders({ results })).toEqual(['context/any-field-may-be-absent/open']);
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });

  it('may have ids for labels, which is observed', async () => {
    const spare = '1abe1008-0000-4000-8000-000000000008';
    const { results, profile } = await changed((body) => {
      body.labels = body.labels.map((name: string) =>
        name === 'spare' ? spare : '1abe1001-0000-4000-8000-000000000001',
      );
    });
    expect(finders({ results })).toEqual(['context/labels-are-names/open']);
    expect(profile.shapes?.contextLabels).toBe('ids');
  });

  it('may show labels in a way of its own, which is observed', async () => {
    const { results, profile } = await changed(put('labels', ['L1']));
    expect(results.find(({ id }) => id === 'context/labels-are-names/open')?.outcome).toBe('observed');
    expect(profile.shapes).toBeUndefined();
  });
});

it('asks without a body, as it is described', async () => {
  const asked: ApiRequest[] = [];
  const around = answer(open, (reply, request) => {
    asked.push(request);
    return reply;
  });
  await runVirtually(context, { mock: { around } });
  expect(new Set(asked.map(({ body }) => body))).toEqual(new Set([null]));
});
