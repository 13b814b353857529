import { type Check, check } from '../check.ts';
import { expectControl, expectRefusal, expectStatus, expectThat } from '../expect.ts';
import type { Reply } from '../reply.ts';
import { errorCode, refusalPatch } from './error-body.ts';
import { parseDateTime, someBytes, targetIn } from './upload-flow.ts';

const id = 'startSiteFileUpload';
const body = { contentType: 'image/png' };

const starts = (['currentSite', 'legacySite'] as const).map((fact) =>
  check({
    id: `upload/start/${fact === 'currentSite' ? 'current-site' : 'legacy-site'}`,
    rule: 'upload/start-is-201',
    title: `starting an upload for a ${fact === 'currentSite' ? 'site' : 'site with a bare id'} answers 201`,
    needs: [fact],
    uses: [id],
    async run({ call, given }) {
      const reply = await call(id, { params: { id: given[fact] }, body });
      expectStatus(reply, [201], 'starting an upload');
      const fields = Object.entries(targetIn(reply)).filter(([, value]) => value === undefined);
      expectThat(reply, fields.length === 0, 'an upload target', `no ${fields.map(([name]) => name).join(', ')}`);
    },
  }),
);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const fileKey = check({
  id: 'upload/file-key',
  rule: 'upload/target-file-key',
  title: 'every start issues another fileKey, a UUID',
  needs: ['site'],
  uses: [id],
  async run({ call, given }) {
    const seen = new Set<unknown>();
    for (const contentType of ['image/png', 'image/png', 'text/plain']) {
      const reply = await call(id, { params: { id: given.site }, body: { contentType } });
      expectControl(reply, 'starting an upload');
      const { fileKey: key } = targetIn(reply);
      const isUuid = typeof key === 'string' && uuid.test(key);
      expectThat(reply, isUuid, 'fileKey, a UUID', `fileKey is ${JSON.stringify(key)}`);
      expectThat(reply, !seen.has(key), 'another fileKey each time', `${key} again`);
      seen.add(key);
    }
  },
});

const url = check({
  id: 'upload/url',
  rule: 'upload/target-url',
  title: 'a start issues an absolute URL',
  needs: ['site'],
  uses: [id],
  async run({ call, given }) {
    const reply = await call(id, { params: { id: given.site }, body });
    expectControl(reply, 'starting an upload');
    const { uploadUrl } = targetIn(reply);
    const isUrl = typeof uploadUrl === 'string' && /^https?:\/\//i.test(uploadUrl) && URL.canParse(uploadUrl);
    // The URL itself opens the way to a file: it is not repeated in what reports show.
    expectThat(
      reply,
      isUrl,
      'uploadUrl, an absolute http or https URL',
      `uploadUrl is ${typeof uploadUrl}, no such URL`,
    );
  },
});

const expiry = check({
  id: 'upload/expiry',
  rule: 'upload/target-expiry',
  title: 'a start says when its URL expires, as a date-time with its zone',
  needs: ['site'],
  uses: [id],
  async run({ call, given }) {
    const reply = await call(id, { params: { id: given.site }, body });
    expectControl(reply, 'starting an upload');
    const { uploadUrlExpiresAt: at } = targetIn(reply);
    expectThat(
      reply,
      parseDateTime(at) !== null,
      'uploadUrlExpiresAt, a date-time (RFC 3339)',
      `it is ${JSON.stringify(at)}`,
    );
  },
});

const lifetime = 300_000;

/** Timestamps of whole seconds, and the Date header too, may be off by one. */
const rounding = 1_000;

const lives = check({
  id: 'upload/lives-five-minutes',
  rule: 'upload/url-lives-five-minutes',
  title: 'the URL expires 5 minutes after it was issued',
  needs: ['site'],
  uses: [id],
  async run({ call, given, deployment, observe }) {
    const reply = await call(id, { params: { id: given.site }, body });
    expectControl(reply, 'starting an upload');
    const expires = parseDateTime(targetIn(reply).uploadUrlExpiresAt) ?? Number.NaN;
    const { sentAt, doneAt } = reply.exchange;
    const skew = deployment.clockSkewSeconds * 1000;
    const within = (from: number, to: number) =>
      expires >= from + lifetime - rounding && expires <= to + lifetime + rounding;
    // Its own clock excuses it where ours differs by more than the target file says.
    const date = Date.parse(reply.headers.date ?? '');
    const took = doneAt - sentAt;
    const kept = within(sentAt - skew, doneAt + skew) || within(date - took - rounding, date + took);
    const seconds = ((expires - sentAt) / 1000).toFixed(1);
    const remedy = `(clockSkewSeconds: ${deployment.clockSkewSeconds})`;
    expectThat(reply, kept, 'expiry 300 s after issue', `${seconds} s after the request was sent ${remedy}`);
    if (!reply.planned) observe(`expires ${seconds} s after the request was sent`);
  },
});

interface BadBody {
  readonly slug: string;
  readonly words: string;
  readonly body: unknown;
}

const withoutType: readonly BadBody[] = [
  { slug: 'missing', words: 'an object without contentType', body: {} },
  { slug: 'empty', words: 'an empty contentType', body: { contentType: '' } },
  { slug: 'number', words: 'a contentType that is a number', body: { contentType: 5 } },
  { slug: 'null', words: 'a contentType that is null', body: { contentType: null } },
  { slug: 'boolean', words: 'a contentType that is true', body: { contentType: true } },
  { slug: 'list', words: 'a contentType that is an array', body: { contentType: ['image/png'] } },
  { slug: 'object', words: 'a contentType that is an object', body: { contentType: { type: 'image/png' } } },
  { slug: 'other-case', words: 'contenttype in place of contentType', body: { contenttype: 'image/png' } },
  { slug: 'array', words: 'an array', body: [] },
  { slug: 'string', words: 'a string', body: '"image/png"' },
];

const tooMuch: readonly BadBody[] = [
  { slug: 'extra', words: 'a property too many', body: { ...body, name: 'plan.png' } },
  { slug: 'extra-null', words: 'a property too many that is null', body: { ...body, fileName: null } },
  { slug: 'extra-object', words: 'an object too many', body: { ...body, metadata: {} } },
];

const refusedBody = (rule: 'upload/content-type-is-required' | 'upload/no-additional-properties') => (bad: BadBody) =>
  check({
    id: `upload/body/${bad.slug}`,
    rule,
    title: `a start with ${bad.words} is refused with 400 or 422`,
    needs: ['site'],
    uses: [id],
    async run({ call, given, observe }) {
      expectControl(await call(id, { params: { id: given.site }, body }), 'a start with contentType alone');
      const reply = await call(id, { params: { id: given.site }, body: bad.body });
      observe(`answered ${reply.status} ${errorCode(reply) ?? ''}`.trim());
      expectStatus(reply, [400, 422], `a start with ${bad.words}`);
    },
  });

const noBody = check({
  id: 'upload/body/none',
  rule: 'upload/content-type-is-required',
  title: 'a start without a body is refused',
  needs: ['site'],
  uses: [id],
  async run({ call, given, observe }) {
    expectControl(await call(id, { params: { id: given.site }, body }), 'a start with contentType alone');
    const reply = await call(id, { params: { id: given.site } });
    observe(`answered ${reply.status}`);
    // Without a body there is no media type either: what a server objects to first is its own affair.
    expectRefusal(reply, 'a start without a body');
  },
});

const openBodies: readonly (BadBody & { readonly type?: string; readonly refusal: 'malformed-json' | 'not-json' })[] = [
  { slug: 'malformed', words: 'JSON that breaks off', body: '{"contentType":"image/png"', refusal: 'malformed-json' },
  { slug: 'as-text', words: 'JSON declared as text/plain', body, type: 'text/plain', refusal: 'not-json' },
];

const open = openBodies.map(({ slug, words, body: sent, type, refusal }) =>
  check({
    id: `upload/body/${slug}`,
    rule: refusal === 'not-json' ? 'errors/routing' : 'errors/invalid-request-is-400',
    title: `how a start with ${words} is answered`,
    needs: ['site'],
    uses: [id],
    async run({ call, given, observe }) {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const reply = await call(id, { params: { id: given.site }, body: sent, headers });
      observe(`answered ${reply.status} ${errorCode(reply) ?? ''}`.trim(), refusalPatch(refusal, reply));
      expectStatus(reply, [refusal === 'not-json' ? 415 : 400], words);
    },
  }),
);

const unknown = (['ovaid-', ''] as const).map((prefix) =>
  check({
    id: `upload/unknown-site/${prefix === '' ? 'bare-id' : 'current-id'}`,
    rule: 'upload/unknown-site-is-404',
    title: `a start for a site that does not exist answers 404, by ${prefix === '' ? 'a bare id' : 'an ovaid- id'}`,
    needs: ['site'],
    uses: [id],
    async run({ call, given, newId }) {
      expectControl(await call(id, { params: { id: given.site }, body }), 'a start for a site that exists');
      const reply = await call(id, { params: { id: `${prefix}${newId()}` }, body });
      expectStatus(reply, [404], 'a site that does not exist');
    },
  }),
);

const foreign = check({
  id: 'upload/foreign-site',
  rule: 'upload/foreign-site-is-404',
  title: 'a start for a site of another tenant answers 404',
  needs: ['site', 'strangerSite'],
  uses: [id],
  keys: { stranger: { of: 'stranger', scopes: ['siteFile:write'] } },
  async run({ call, given, keys }) {
    const params = { id: given.strangerSite };
    expectControl(await call(id, { params: { id: given.site }, body }), 'a start for a site of our own');
    expectControl(
      await call(id, { params, body, as: keys.stranger }),
      'the same start by the tenant that has the site',
    );
    expectStatus(await call(id, { params, body }), [404], 'a site of another tenant');
  },
});

/** The bytes in place of the JSON of a start: were they taken, nothing would be on the site yet. */
const bytesToStart = check({
  id: 'upload/no-direct-bytes/start',
  rule: 'upload/no-direct-bytes',
  title: 'bytes sent to the API in place of the JSON of a start are not taken',
  needs: ['site'],
  uses: [id],
  async run({ call, given }) {
    expectControl(await call(id, { params: { id: given.site }, body }), 'a start with JSON');
    const sent = { params: { id: given.site }, body: someBytes, headers: { 'content-type': 'text/plain' } };
    for (const method of ['POST', 'PUT']) {
      const reply: Reply = await call(id, { ...sent, method });
      expectThat(reply, reply.status >= 400, 'bytes are not taken by the API', `answered ${reply.status}`);
    }
  },
});

/** The first step of the upload flow. It stores nothing on the site, so it may be taken on any deployment. */
export const uploadStart: readonly Check[] = [
  ...starts,
  fileKey,
  url,
  expiry,
  lives,
  ...withoutType.map(refusedBody('upload/content-type-is-required')),
  noBody,
  ...tooMuch.map(refusedBody('upload/no-additional-properties')),
  ...open,
  ...unknown,
  foreign,
  bytesToStart,
];
