import { type Json, objectOf, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { usable } from '../../tampering/predicates.ts';
import { bodyOf, chain, failing, onReplyTo, refusing, withStatus } from '../../tampering/when.ts';

/** Refuses some requests to the storage. */
const xml = (status: number, code: string, where: (asked: Asked) => boolean = () => true) =>
  instead((asked) =>
    asked.id === 'storage' && where(asked)
      ? { status, headers: { 'content-type': 'application/xml' }, body: `<Error><Code>${code}</Code></Error>` }
      : undefined,
  );

/** Refuses bytes of such a type. */
const storing = (type: RegExp) =>
  refusing({ id: 'storage', where: ({ request }) => type.test(request.headers['content-type'] ?? '') }, 403);

const stored = { status: 200, headers: { etag: '"d41d8cd98f00b204e9800998ecf8427e"' }, body: null };

const pathOf = ({ request }: Asked) => request.url.split('?')[0] ?? '';

/** Accepts some PUTs that the storage should refuse. @param which by the content type sent and the one asked for */
const storageTakes = (which: (sent: string, wanted: string, asked: Asked) => boolean) => (scene: Scene) => {
  const wanted = new Map<string, string>();
  return onReply((answered) => {
    const { id, reply, request } = answered;
    if (id === 'startSiteFileUpload' && reply.status === 201) {
      wanted.set(new URL(String(objectOf(reply).uploadUrl)).pathname, String(bodyOf(answered).contentType));
    }
    const sent = request.headers['content-type'] ?? '';
    const isTaken = id === 'storage' && reply.status === 403;
    return isTaken && which(sent, wanted.get(pathOf(answered)) ?? '', answered) ? stored : undefined;
  })(scene);
};

export const storage: readonly Defect[] = [
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
    'upload/expired-is-ignored': [
      'answers 200 to a PUT after expiry, and drops the bytes',
      onReplyTo({ id: 'storage', where: ({ reply }) => reply.body?.includes('Request has expired') }, () => stored),
    ],
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/put-refused': [
      'signs upload URLs with a secret that the storage does not know',
      xml(403, 'SignatureDoesNotMatch'),
    ],
    'upload/put-needs-the-key': [
      'wants the API key on the PUT to the storage too',
      xml(403, 'AccessDenied', ({ key }) => key === undefined),
    ],
    'upload/newer-start-ends-older': [
      'refuses the URL of an upload when a newer one was started for the site',
      (scene) => {
        const [siteOf, newest] = [new Map<string, string>(), new Map<string, string>()];
        const handle = onReplyTo({ id: 'startSiteFileUpload', status: 201 }, ({ params: { id = '' }, reply }) => {
          const path = new URL(String(objectOf(reply).uploadUrl)).pathname;
          siteOf.set(path, id);
          newest.set(id, path);
          return undefined;
        })(scene);
        const isOutdated = (asked: Asked) => newest.get(siteOf.get(pathOf(asked)) ?? '') !== pathOf(asked);
        return xml(403, 'AccessDenied', isOutdated)({ ...scene, handle });
      },
    ],
    'upload/put-redirects': withStatus({ id: 'storage', ok: true }, 307),
    'upload/put-with-403': withStatus({ id: 'storage', ok: true }, 403),
    'upload/signature-fails-for-a-plus': ['signs types with a plus wrongly', storing(/\+/)],
    'upload/signature-fails-for-capitals': ['signs types with capitals wrongly', storing(/[A-Z]/)],
    'upload/signature-fails-for-long-types': ['signs types of more than 60 characters wrongly', storing(/.{61}/)],
  }),
  ...breaking('upload/put-content-type-must-match', {
    'upload/put-compares-the-type-alone': [
      'compares Content-Type up to the slash: image/png passes for image/jpeg',
      storageTakes((sent, wanted) => sent !== '' && sent.split('/')[0] === wanted.split('/')[0]),
    ],
    'upload/put-compares-a-prefix': [
      'takes a Content-Type that begins as the one asked for does',
      storageTakes((sent, wanted) => sent.startsWith(wanted || '-')),
    ],
    'upload/put-without-content-type': [
      'compares Content-Type only where the PUT has one',
      storageTakes((sent) => sent === ''),
    ],
  }),
  ...breaking('upload/no-direct-bytes', {
    'upload/bytes-taken-directly': [
      'takes the bytes of a file at the API itself',
      instead((asked) => {
        const { request, params, mock } = asked;
        const isJson = request.headers['content-type']?.includes('json');
        const isDirect = /^\/v1\/site\/[^/]+\/file(\/upload-url)?$/.test(request.url) && !isJson;
        if (!isDirect || request.body === null || !usable(asked)) return undefined;
        return replyWith(201, { fileKey: crypto.randomUUID(), siteId: params.id ?? '', at: mock.clock.now() });
      }),
    ],
  }),
  ...breaking('upload/file-may-exceed-10mb', {
    'upload/storage-limit-10mb': [
      'holds uploaded files to the limit of API requests',
      xml(400, 'EntityTooLarge', ({ request }) => bytesOf(request).length > 10 * 1024 * 1024),
    ],
  }),
  ...breaking('upload/register-takes-file-key', {
    'upload/register-knows-no-key': failing({ id: 'registerSiteFile', ok: true }, 404),
    'upload/file-key-is-forgotten': [
      'takes the bytes and forgets their fileKey, so that it is unknown where the file is registered',
      (scene) =>
        onReplyTo({ id: 'storage', status: 200 }, (answered) => {
          const [, , tenant = '', fileKey = ''] = pathOf(answered).split('/');
          if (answered.mock.tenants.get(tenant)?.files.delete(fileKey)) scene.reached();
          return undefined;
        })(scene),
    ],
    'upload/file-key-lives-fifteen-seconds': [
      'knows a fileKey for fifteen seconds, although its URL lives five minutes',
      (scene) => {
        const issued = new Map<Json | undefined, number>();
        const isOld = (asked: Asked) =>
          asked.mock.clock.now() - (issued.get(bodyOf(asked).fileKey) ?? Number.POSITIVE_INFINITY) > 15_000;
        const issue = onReplyTo({ id: 'startSiteFileUpload', ok: true }, ({ reply, mock }) => {
          issued.set(objectOf(reply).fileKey, mock.clock.now());
          return undefined;
        });
        return chain(issue, refusing({ id: 'registerSiteFile', where: isOld }, 404))(scene);
      },
    ],
    'upload/register-breaks': failing({ id: 'registerSiteFile', status: 201 }, 500),
    'upload/registered-with-409': withStatus({ id: 'registerSiteFile', ok: true }, 409),
    'upload/large-file-breaks-registration': [
      'answers 500 whenever a file of more than 10 MB is registered',
      (scene) => {
        const large = new Set<string>();
        const keyIn = (url: string) =>
          /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(url.split('?')[0] ?? '')?.[0] ?? '';
        const isLarge = (asked: Asked) => {
          if (asked.id === 'storage' && bytesOf(asked.request).length > 10 * 1024 * 1024)
            large.add(keyIn(asked.request.url));
          return asked.id === 'registerSiteFile' && large.has(String(bodyOf(asked).fileKey));
        };
        return refusing({ where: isLarge }, 500)(scene);
      },
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
