import { type Json, objectOf, replyWith } from '../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead, onReply, type Scene, withBody } from '../../../mock/proof/tampering/tamper.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { usable } from '../tampering/predicates.ts';
import {
  bodyOf,
  failing,
  inReply,
  onReplyTo,
  readingBody,
  readingUrl,
  refusing,
  type When,
  withStatus,
} from '../tampering/when.ts';
import { wrongValue } from '../tampering/wrong-value.ts';

const id = 'startSiteFileUpload';
const start: When = { id, ok: true };

/** Answers another value in an upload target. */
const wrong = (place: string, change: Parameters<typeof wrongValue>[2]) => wrongValue(start, place, change);

const isoOf = (time: number) => new Date(time).toISOString();

/** Answers another uploadUrlExpiresAt than the time in five minutes. */
const wrongExpiry = (change: (inFiveMinutes: number) => Json | undefined) =>
  wrong('uploadUrlExpiresAt', (_, { mock }) => change(mock.clock.now() + 300_000));

/** Answers starts with a forbidden body as if the body were lawful. */
const lenient = (refused: When['refused'], which: (contentType: Json | undefined) => boolean = () => true) =>
  onReplyTo({ id, refused }, (answered) =>
    which(bodyOf(answered).contentType)
      ? answered.ask(withBody(answered.request, '{"contentType":"text/plain"}'))
      : undefined,
  );

/** Reads the body of a start otherwise. */
const reading = (pattern: RegExp, replacement: string) =>
  readingBody({ id }, (text) => text.replace(pattern, replacement));

const typeAsked = (asked: Asked) => String(bodyOf(asked).contentType);

/** Starts for sites that are unknown, or that are foreign. */
const unknownSite = (foreign: boolean): When => ({
  id,
  status: 404,
  where: ({ mock, params }) =>
    [...mock.tenants.values()].some((tenant) => tenant.sites.has(params.id ?? '')) === foreign,
});

/** Answers an upload target that leads nowhere. */
const startingNowhere = (when: When) =>
  onReplyTo(when, (answered) =>
    replyWith(201, {
      fileKey: crypto.randomUUID(),
      uploadUrl: 'http://127.0.0.1:4010/storage/nowhere?X-Amz-Signature=x',
      uploadUrlExpiresAt: isoOf(answered.mock.clock.now() + 300_000),
    }),
  );

/** Reads the id of a site in the path of a start otherwise. */
const readingSite = (site: string, replacement: Parameters<typeof readingUrl>[1]) =>
  readingUrl(new RegExp(`^(/v1/site/)${site}(?=/file/upload-url)`), replacement);

/** Refuses some requests to the storage. */
const xml = (status: number, code: string, where: (asked: Asked) => boolean = () => true) =>
  instead((asked) =>
    asked.id === 'storage' && where(asked)
      ? { status, headers: { 'content-type': 'application/xml' }, body: `<Error><Code>${code}</Code></Error>` }
      : undefined,
  );

/** Refuses bytes of such a type. */
const notStoring = (type: RegExp) =>
  refusing({ id: 'storage', where: ({ request }) => type.test(request.headers['content-type'] ?? '') }, 403);

const stored = { status: 200, headers: { etag: '"d41d8cd98f00b204e9800998ecf8427e"' }, body: null };

const pathOf = ({ request }: Asked) => request.url.split('?')[0] ?? '';

/** Accepts some PUTs that the storage should refuse. @param which by the content type sent and the one asked for */
const storageTakes = (which: (sent: string, wanted: string, asked: Asked) => boolean) => (scene: Scene) => {
  const wanted = new Map<string, string>();
  return onReply((answered) => {
    const { id: asked, reply, request } = answered;
    if (asked === id && reply.status === 201)
      wanted.set(new URL(String(objectOf(reply).uploadUrl)).pathname, typeAsked(answered));
    const sent = request.headers['content-type'] ?? '';
    const isTaken = asked === 'storage' && reply.status === 403;
    return isTaken && which(sent, wanted.get(pathOf(answered)) ?? '', answered) ? stored : undefined;
  })(scene);
};

export const uploads: readonly Defect[] = [
  ...breaking('upload/target-file-key', {
    'upload/no-file-key': wrong('fileKey', () => undefined),
    'upload/no-file-key-with-a-query': inReply({ ...start, url: /\?/ }, () => ({ fileKey: undefined })),
    'upload/file-key-is-no-uuid': wrong('fileKey', (key) => `uploads/${key}/file`),
    'upload/file-key-cut-short': wrong('fileKey', (key) => String(key).replaceAll('-', '')),
    'upload/file-key-is-reused': wrong('fileKey', () => 'f11e0001-0000-4000-8000-000000000001'),
  }),
  ...breaking('upload/target-url', {
    'upload/no-upload-url': wrong('uploadUrl', () => undefined),
    'upload/url-is-a-path': wrong('uploadUrl', (url) => String(url).replace(new URL(String(url)).origin, '')),
    'upload/url-is-an-object': wrong('uploadUrl', (url) => ({ url, fields: {} })),
  }),
  ...breaking('upload/target-expiry', {
    'upload/no-expiry': wrongExpiry(() => undefined),
    'upload/expiry-in-seconds': wrongExpiry((at) => Math.floor(at / 1000)),
    'upload/expiry-is-no-date-time': wrongExpiry((at) => new Date(at).toUTCString()),
    'upload/expiry-without-zone': wrongExpiry((at) => isoOf(at).replace('Z', '')),
  }),
  ...breaking('upload/url-lives-five-minutes', {
    'upload/expires-in-1-minutes': wrongExpiry((at) => isoOf(at - 4 * 60_000)),
    'upload/expires-in-15-minutes': wrongExpiry((at) => isoOf(at + 10 * 60_000)),
    'upload/expiry-in-local-time': wrongExpiry((at) => isoOf(at - 6 * 3_600_000)),
  }),
  ...breaking('upload/start-is-201', {
    'upload/start-answers-nothing': onReplyTo(start, ({ reply }) => ({
      ...reply,
      headers: { ...reply.headers, location: String(objectOf(reply).uploadUrl) },
      body: '{}',
    })),
    'upload/start-is-200': withStatus(start, 200),
    'upload/started-with-303': withStatus({ ...start, tenant: 'acme' }, 303),
    'upload/breaks-for-parameters': refusing(
      { id, usable: true, where: (asked) => typeAsked(asked).includes(';') },
      500,
    ),
  }),
  ...breaking('upload/no-additional-properties', {
    'upload/additional-property-403': failing({ refused: 'additional-property' }, 403),
    'upload/additional-that-all-objects-have': reading(/,"(constructor|__proto__)":("a"|\{[^}]*\})/, ''),
    'upload/additional-without-a-name': reading(/,"":"[^"]*"/, ''),
    'upload/additional-more-than-ten': reading(/(,"a\d+":\d+){10,}/, ''),
    'upload/additional-in-other-case': reading(/(?<="contentType".*),\s?"ContentType":\s?"[^"]*"(?=\s?\})/, ''),
  }),
  ...breaking('upload/content-type-is-required', {
    'upload/content-type-defaults': lenient('missing-content-type'),
    'upload/content-type-may-be-empty': lenient('empty-content-type'),
    'upload/content-type-may-be-a-number': lenient('wrong-json-type', (type) => typeof type === 'number'),
    'upload/content-type-may-be-null': lenient('wrong-json-type', (type) => type === null),
    'upload/missing-content-type-500': failing({ refused: 'missing-content-type' }, 500),
    'upload/empty-list-of-types': reading(/"contentType":\[\]/, '"contentType":"a/b"'),
    'upload/array-of-a-type': reading(/^\[("[^"]*")\]$/, '{"contentType":$1}'),
    'upload/json-in-a-string': readingBody({ id }, (text) => {
      const json = jsonOrUndefined(text);
      return typeof json === 'string' && json.startsWith('{') ? json : text;
    }),
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/unknown-site-422': failing(unknownSite(false), 422),
    'upload/unknown-site-201': startingNowhere(unknownSite(false)),
    'upload/breaks-for-large-numbers': refusing(
      { id, usable: true, where: ({ params }) => /^\d{12,}$/.test(params.id ?? '') },
      500,
    ),
    'upload/site-id-is-a-pattern': readingSite('(ovaid-[\\w-]{35})_', '$1$21'),
    'upload/any-site-by-pattern': readingSite('%25', '$110042'),
    'upload/site-id-with-a-tail': readingSite('(\\d+)[^\\d/][^/]*', '$1$2'),
    'upload/site-id-without-its-fraction': readingSite('(\\d+)\\.\\d+', '$1$2'),
    'upload/site-id-ends-at-a-nul': readingSite('([\\w-]+)%00[^/]*', '$1$2'),
    'upload/site-id-cut-off': readingSite('(ovaid-[\\w-]{35})', '$1$21'),
    'upload/any-number-of-32-bits': readingSite('\\d{9,10}', '$110042'),
    'upload/site-id-in-32-bits': readingSite(
      '(\\d{11,})',
      (_, path = '', site = '') => `${path}${BigInt(site) % 2n ** 32n}`,
    ),
  }),
  ...breaking('upload/foreign-site-is-404', {
    'upload/foreign-site-403': failing(unknownSite(true), 403),
    'upload/foreign-site-201': startingNowhere(unknownSite(true)),
  }),
  ...breaking('upload/expired-url-is-refused', {
    'upload/expiry-enforced-late': [
      'says 5 minutes, and takes bytes for an hour',
      storageTakes((_sent, _wanted, { request, mock }) => {
        const date = new URLSearchParams(request.url.split('?')[1] ?? '').get('X-Amz-Date') ?? '';
        const issuedAt = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
        const age = mock.clock.now() - issuedAt;
        return age >= 300_000 && age < 3_600_000;
      }),
    ],
    'upload/expired-is-ignored': onReplyTo(
      { id: 'storage', where: ({ reply }) => reply.body?.includes('Request has expired') },
      () => stored,
    ),
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/put-refused': xml(403, 'SignatureDoesNotMatch'),
    'upload/put-needs-the-key': xml(403, 'AccessDenied', ({ key }) => key === undefined),
    'upload/put-redirects': withStatus({ id: 'storage', ok: true }, 307),
    'upload/put-with-403': withStatus({ id: 'storage', ok: true }, 403),
    'upload/signature-fails-for-a-plus': notStoring(/\+/),
    'upload/signature-fails-for-capitals': notStoring(/[A-Z]/),
    'upload/signature-fails-for-long-types': notStoring(/.{61}/),
  }),
  ...breaking('upload/put-content-type-must-match', {
    'upload/put-compares-the-type-alone': storageTakes(
      (sent, wanted) => sent !== '' && sent.split('/')[0] === wanted.split('/')[0],
    ),
    'upload/put-compares-a-prefix': storageTakes((sent, wanted) => sent.startsWith(wanted || '-')),
    'upload/put-without-content-type': storageTakes((sent) => sent === ''),
  }),
  ...breaking('upload/no-direct-bytes', {
    'upload/bytes-taken-directly': instead((asked) => {
      const { request, params } = asked;
      const isJson = request.headers['content-type']?.includes('json');
      const isDirect = /^\/v1\/site\/[^/]+\/file(\/upload-url)?$/.test(request.url) && !isJson;
      return isDirect && request.body !== null && usable(asked)
        ? replyWith(201, { fileKey: crypto.randomUUID(), siteId: params.id ?? '' })
        : undefined;
    }),
  }),
  ...breaking('upload/file-may-exceed-10mb', {
    'upload/storage-limit-10mb': xml(
      400,
      'EntityTooLarge',
      ({ request }) => bytesOf(request).length > 10 * 1024 * 1024,
    ),
  }),
  ...breaking('upload/register-takes-file-key', {
    'upload/register-knows-no-key': failing({ id: 'registerSiteFile', ok: true }, 404),
    'upload/register-breaks': failing({ id: 'registerSiteFile', status: 201 }, 500),
    'upload/registered-with-409': withStatus({ id: 'registerSiteFile', ok: true }, 409),
    'upload/file-key-is-forgotten': [
      'takes the bytes and forgets their fileKey, so that it is unknown where the file is registered',
      (scene) =>
        onReplyTo({ id: 'storage', status: 200 }, (answered) => {
          const [, , tenant = '', fileKey = ''] = pathOf(answered).split('/');
          if (answered.mock.tenants.get(tenant)?.files.delete(fileKey)) scene.reached();
          return undefined;
        })(scene),
    ],
  }),
  {
    id: 'upload/on-the-site-before-registration',
    breaks: 'upload/nothing-stored-before-registration',
    does: 'puts a file on the site as soon as its bytes are there, where no operation of the API shows it',
    survives: true,
    around:
      ({ handle, mock, reached }) =>
      async (request, trace) => {
        const files = () => [...mock.tenants.values()].flatMap((tenant) => [...tenant.files.values()]);
        const early = files().filter(({ registered }) => registered?.name === 'early');
        if (request.url.endsWith('/file')) for (const file of early) file.registered = null;
        const reply = await handle(request, trace);
        for (const file of files()) {
          if (file.stored === null || file.registered !== null) continue;
          file.registered = { name: 'early', size: file.stored.size, at: mock.clock.now() };
          reached();
        }
        return reply;
      },
  },
];
