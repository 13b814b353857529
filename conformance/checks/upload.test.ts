import { describe, expect, it } from 'vitest';
import type { ApiReply } from '../../mock/index.ts';
import { uploadUrlLifetimeSeconds } from '../../mock/storage/presign.ts';
import { type Around, answer, asking, rewrite, type When, withBody } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { upload } from './upload.ts';

const full = 'acmefull-fake-secret-0000000000000001';
const start = asking(/^POST .*upload-url$/);
const toStorage = asking(/^PUT \/storage\//);
const register = asking(/^POST \/v1\/site\/[^/]+\/file$/);

interface Target {
  fileKey: string;
  uploadUrl: string;
  uploadUrlExpiresAt: string;
}
const issued = (change: (target: Target) => object): Around =>
  answer(start, (reply) => (reply.status === 201 ? withBody(reply, change) : reply));
const without = (name: keyof Target) => issued((target) => ({ ...target, [name]: undefined }));
const refusedAs = (when: When, status: number): Around =>
  answer(when, (reply) => ({ ...reply, status, body: '{"error":{"code":"X","message":"no"}}' }));

/** Bodies are read to be judged, and handed on as they were. */
const reading =
  (
    change: (text: string, handle: () => ApiReply | Promise<ApiReply>) => ApiReply | Promise<ApiReply> | string,
  ): Around =>
  (handle) =>
  async (request, trace) => {
    if (!start(request) || request.body === null) return handle(request, trace);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request.body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const send = (body: Uint8Array) => {
      const headers = { ...request.headers, 'content-type': 'application/json', 'content-length': String(body.length) };
      return handle({ ...request, headers, body: once(body) }, trace);
    };
    const changed = await change(bytes.toString(), () => send(bytes));
    return typeof changed === 'string' ? send(Buffer.from(changed)) : changed;
  };

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** A start takes this body for a good one. */
const takes = (pattern: RegExp) =>
  reading((text, handle) => (pattern.test(text) ? '{"contentType":"image/png"}' : handle()));

/** The storage takes these for the type that was asked for. */
const mistakes = (asked: string, sent: (type: string | undefined) => boolean): Around =>
  rewrite((request) =>
    toStorage(request) && sent(request.headers['content-type'])
      ? { ...request, headers: { ...request.headers, 'content-type': asked } }
      : request,
  );

const later = (milliseconds: number) => (target: Target) => ({
  ...target,
  uploadUrlExpiresAt: new Date(Date.parse(target.uploadUrlExpiresAt) + milliseconds).toISOString(),
});

const all = { slow: true };
/** Eleven megabytes are hashed by the storage target: only where they matter. */
const small = { skip: ['upload/put-large'] };

it('passes on the mock, and starts leave nothing', async () => {
  const record = await runVirtually(upload, all);
  expect(oddities(record)).toEqual([]);
  expect(record.profile.upload).toEqual({
    putStatus: 200,
    registerStatus: 201,
    registerTwice: { status: 409, code: 'CONFLICT' },
    registerBeforePut: { status: 422, code: 'UNPROCESSABLE_ENTITY' },
  });
});

const defects: readonly [does: string, around: Around, found: readonly string[]][] = [
  [
    '200 for 201',
    answer(start, (reply) => ({ ...reply, status: reply.status === 201 ? 200 : reply.status })),
    ['upload/start/current-site', 'upload/start/legacy-site'],
  ],
  ['no site with a bare id', refusedAs(asking(/10042\/file\/upload-url$/), 404), ['upload/start/legacy-site']],
  ['no fileKey', without('fileKey'), ['upload/file-key']],
  [
    'a fileKey that is no UUID',
    issued((target) => ({ ...target, fileKey: `f-${target.fileKey}` })),
    ['upload/file-key'],
  ],
  [
    'the same fileKey each time',
    issued((target) => ({ ...target, fileKey: '0f000000-0000-4000-8000-000000000001' })),
    ['upload/file-key'],
  ],
  ['no URL', without('uploadUrl'), ['upload/url']],
  [
    'a path for a URL',
    issued((target) => ({ ...target, uploadUrl: new URL(target.uploadUrl).pathname })),
    ['upload/url'],
  ],
  ['no expiry', without('uploadUrlExpiresAt'), ['upload/expiry']],
  [
    'an expiry without a zone',
    issued((target) => ({ ...target, uploadUrlExpiresAt: target.uploadUrlExpiresAt.replace('Z', '') })),
    ['upload/expiry'],
  ],
  [
    'an expiry in seconds',
    issued((target) => ({ ...target, uploadUrlExpiresAt: Date.parse(target.uploadUrlExpiresAt) / 1000 })),
    ['upload/expiry'],
  ],
  ['an hour to live', issued(later(3_300_000)), ['upload/lives-five-minutes']],
  ['four minutes to live', issued(later(-60_000)), ['upload/lives-five-minutes']],
  ['an empty contentType is taken', takes(/"contentType":""/), ['upload/body/empty']],
  ['a numeric contentType is taken', takes(/"contentType":5/), ['upload/body/number']],
  ['no contentType is taken', takes(/^\{\}$/), ['upload/body/missing']],
  ['an array is taken', takes(/^\[\]$/), ['upload/body/array']],
  ['a property too many is taken', takes(/"name"/), ['upload/body/extra']],
  ['an object too many is taken', takes(/"metadata"/), ['upload/body/extra-object']],
  [
    '404 for a bad body',
    reading((text, handle) => (text === '{}' ? { status: 404, headers: {}, body: '{}' } : handle())),
    ['upload/body/missing'],
  ],
  [
    '403 for an unknown site',
    answer(start, (reply) => (reply.status === 404 ? { ...reply, status: 403 } : reply)),
    ['upload/foreign-site', 'upload/unknown-site/bare-id', 'upload/unknown-site/current-id'],
  ],
  ['bytes are taken for a start', takes(/partnerkit/), ['upload/no-direct-bytes/start']],
  [
    'storage refuses',
    refusedAs(toStorage, 403),
    ['upload/put/text-plain', 'upload/put/image-png', 'upload/put/application-pdf'],
  ],
  ['any type is taken', mistakes('image/png', () => true), ['upload/put-mismatch/other']],
  [
    'a type that begins alike is taken',
    mistakes('image/png', (type) => type?.startsWith('image/png') ?? false),
    ['upload/put-mismatch/longer'],
  ],
  [
    'a family is enough',
    mistakes('image/png', (type) => type?.startsWith('image/') ?? false),
    ['upload/put-mismatch/same-family'],
  ],
  ['no type is enough', mistakes('image/png', (type) => type === undefined), ['upload/put-mismatch/none']],
  [
    'large files are refused',
    answer(toStorage, (reply, { headers }) =>
      Number(headers['content-length']) > 10_485_760 ? { ...reply, status: 413 } : reply,
    ),
    ['upload/put-large'],
  ],
  ['registering finds nothing', refusedAs(register, 404), ['upload/register']],
  [
    'registering takes bytes',
    answer(register, (reply, { headers }) =>
      headers['content-type'] === 'application/json' ? reply : { ...reply, status: 201 },
    ),
    ['upload/no-direct-bytes/register'],
  ],
  [
    'registering takes a form',
    answer(register, (reply, { headers }) =>
      headers['content-type']?.startsWith('multipart') ? { ...reply, status: 201 } : reply,
    ),
    ['upload/no-direct-bytes/register'],
  ],
  [
    'registering takes a foreign fileKey',
    answer(asking(/POST .*\/file$/), (reply, { headers }) =>
      headers['x-api-key'] === full && reply.status === 404 ? { ...reply, status: 201 } : reply,
    ),
    ['upload/register-foreign'],
  ],
  [
    'registering again succeeds',
    answer(register, (reply) => (reply.status === 409 ? { ...reply, status: 200 } : reply)),
    ['upload/register-twice'],
  ],
];

it.each(defects)('finds it where %s', async (_, around, found) => {
  const record = await runVirtually(upload, { ...(found.includes('upload/put-large') ? {} : small), mock: { around } });
  expect(finders(record)).toEqual(expect.arrayContaining([...found]));
  expect(record.results.filter(({ outcome }) => outcome === 'error')).toEqual([]);
});

it('finds a URL that lives on after its expiry', async () => {
  // The claim is moved to before what the signature knows, as if the storage were told to keep it longer.
  const around = issued(later(-120_000));
  const only = ['upload/put-expired'];
  expect(uploadUrlLifetimeSeconds).toBe(300);
  expect(finders(await runVirtually(upload, { ...all, only, mock: { around } }))).toEqual(only);
});

it('does not wait for a URL that claims to live for an hour', async () => {
  const only = ['upload/put-expired'];
  const record = await runVirtually(upload, { ...all, only, mock: { around: issued(later(3_300_000)) } });
  expect(record.results[upload.findIndex(({ id }) => id === only[0])]?.outcome).toBe('inconclusive');
});

const legal: readonly [does: string, around: Around][] = [
  ['422 for every bad body', answer(start, (reply) => (reply.status === 400 ? { ...reply, status: 422 } : reply))],
  [
    'an expiry with an offset, in whole seconds',
    issued((target) => ({ ...target, uploadUrlExpiresAt: target.uploadUrlExpiresAt.replace(/(\.\d+)?Z$/, '+00:00') })),
  ],
  ['more fields in the target', issued((target) => ({ ...target, method: 'PUT', headers: {} }))],
  [
    '204 and 201 from storage',
    answer(toStorage, (reply) => ({ ...reply, status: reply.status === 200 ? 204 : reply.status })),
  ],
  [
    '200 and no body for a registration',
    answer(register, (reply) => (reply.status === 201 ? { ...reply, status: 200, body: '{}' } : reply)),
  ],
  [
    'a registration that needs a name',
    refusedAs((request) => register(request) && request.headers['content-length'] === '54', 422),
  ],
  [
    '403 for fileKeys of others',
    answer(register, (reply) => (reply.status === 404 ? { ...reply, status: 403 } : reply)),
  ],
];

describe.each(legal)('where a deployment gives %s', (_, around) => {
  it('nothing is failed', async () => {
    const record = await runVirtually(upload, {
      ...all,
      ...small,
      mock: { around, latency: (random) => 400 * random() },
    });
    const odd = record.results.filter(({ outcome }) => !['pass', 'observed', 'not-selected'].includes(outcome));
    expect(odd.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  });
});

it.each([1, 2, 3])('fails nothing on a bad network, seed %i', async (seed) => {
  const drops = (random: () => number) => random() < 0.1;
  const latency = (random: () => number) => (random() < 0.02 ? 2000 : 200 * random());
  const record = await runVirtually(upload, { ...all, ...small, mock: { seed, drops, latency } });
  expect(record.results.filter(({ outcome }) => ['fail', 'warn', 'error'].includes(outcome))).toEqual([]);
});
