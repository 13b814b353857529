import { expect, it } from 'vitest';
import type { Exchange } from '../evidence.ts';
import type { Reply } from '../reply.ts';
import { canariesOf, sightings } from './canaries.ts';

const id = 'c0000001-0000-4000-8000-000000000101';

function replyWith(body: unknown, sent: Partial<Exchange> = {}): Reply {
  const exchange: Exchange = {
    operationId: 'getSite',
    key: 'acme/full',
    method: 'GET',
    url: 'https://connect.example.com/v1/site/7',
    requestHeaders: {},
    requestBody: null,
    requestBytes: 0,
    sentAt: 0,
    doneAt: 0,
    status: 200,
    replyHeaders: {},
    replyBody: null,
    error: null,
    curl: '',
    ...sent,
  };
  return { status: 200, headers: {}, text: JSON.stringify(body), json: body, exchange, planned: false, what: 'GET' };
}

const seen = (reply: Reply, canary: string) => [...sightings([reply], [canary])].length === 1;

it('are the ids of a tenant, each once, and none of its labels that others may have too', () => {
  const tenant = {
    name: 'globex',
    keys: [],
    conversations: { open: id },
    sites: { current: 'ovaid-1', legacy: '10042' },
    clientSite: { client: 'ovcid-1', site: 'ovaid-1' },
    privateLabel: { id: 'private', name: 'internal-risk' },
    spareLabel: { id: 'spare' },
  };
  expect(canariesOf(tenant)).toEqual([id, 'ovaid-1', '10042', 'ovcid-1', 'private']);
});

it.each([
  ['as a whole value', { id }],
  ['within a text', { text: `see ${id}, please` }],
  ['in capitals', { text: id.toUpperCase() }],
  ['as the name of a property', { [id]: 1 }],
  ['percent-encoded', { link: `/?id=${encodeURIComponent(id).replaceAll('-', '%2D')}` }],
])('are seen %s', (_, body) => {
  expect(seen(replyWith(body), id)).toBe(true);
});

it.each([
  ['the address', { url: `https://connect.example.com/v1/conversation/${id}` }],
  ['the body', { requestBody: JSON.stringify({ fileKey: id }) }],
  ['a header', { requestHeaders: { 'x-about': id } }],
])('do not count where the request had them in %s', (_, sent) => {
  expect(seen(replyWith({ error: { message: `No conversation ${id}.` } }, sent), id)).toBe(false);
});

it.each([
  ['as an id', { site: { id: '10042' } }, true],
  ['as a number', { siteId: 10042 }, true],
  ['in a list of ids', { siteIds: ['10041', '10042'] }, true],
  ['as another value', { zip: '10042' }, false],
  ['within a text', { id: '1004200' }, false],
])('that are short count only as whole ids: %s', (_, body, expected) => {
  expect(seen(replyWith(body), '10042')).toBe(expected);
});
