import { asObject, errorWith, jsonOf, objectOf, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';

const xml = (status: number, code: string) => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<Error><Code>${code}</Code></Error>`,
});

/** Accepts some PUTs that the storage should refuse. */
const storageTakes = (which: (asked: Asked) => boolean) => (scene: Scene) => {
  const wanted = new Map<string, string>();
  const note = onReply(({ id, reply, request }) => {
    if (id !== 'startSiteFileUpload' || reply.status !== 201) return undefined;
    const { contentType } = asObject(jsonOf(new TextDecoder().decode(bytesOf(request))));
    wanted.set(new URL(String(objectOf(reply).uploadUrl)).pathname, String(contentType));
    return undefined;
  })(scene);
  return onReply((answered) => {
    const { id, reply, request } = answered;
    const contentType = wanted.get(request.url.split('?')[0] ?? '') ?? '';
    if (id !== 'storage' || reply.status !== 403 || !which({ ...answered, params: { contentType } })) return undefined;
    return { status: 200, headers: { etag: '"d41d8cd98f00b204e9800998ecf8427e"' }, body: null };
  })({ ...scene, handle: note });
};

const typeSent = ({ request }: Asked) => request.headers['content-type'] ?? '';

export const storage: readonly Defect[] = [
  ...breaking('upload/expired-url-is-refused', {
    'upload/expiry-enforced-late': [
      'says 5 minutes, and takes bytes for an hour',
      storageTakes(({ request, mock }) => {
        const date = new URLSearchParams(request.url.split('?')[1] ?? '').get('X-Amz-Date') ?? '';
        const issuedAt = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
        const age = mock.clock.now() - issuedAt;
        return age >= 300_000 && age < 3_600_000;
      }),
    ],
    'upload/expired-is-ignored': [
      'answers 200 to a PUT after expiry, and drops the bytes',
      onReply(({ id, reply }) =>
        id === 'storage' && reply.body?.includes('Request has expired')
          ? { status: 200, headers: { etag: '"x"' }, body: null }
          : undefined,
      ),
    ],
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/put-refused': [
      'signs upload URLs with a secret that the storage does not know',
      instead(({ id }) => (id === 'storage' ? xml(403, 'SignatureDoesNotMatch') : undefined)),
    ],
    'upload/put-needs-the-key': [
      'wants the API key on the PUT to the storage too',
      instead(({ id, key }) => (id === 'storage' && key === undefined ? xml(403, 'AccessDenied') : undefined)),
    ],
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/newer-start-ends-older': [
      'refuses the URL of an upload when a newer one was started for the site',
      (scene) => {
        const [siteOf, newest] = [new Map<string, string>(), new Map<string, string>()];
        return onReply(({ id, params, reply, request }) => {
          if (id === 'startSiteFileUpload' && reply.status === 201) {
            const path = new URL(String(objectOf(reply).uploadUrl)).pathname;
            siteOf.set(path, params.id ?? '');
            newest.set(params.id ?? '', path);
          }
          const path = request.url.split('?')[0] ?? '';
          const outdated = id === 'storage' && newest.get(siteOf.get(path) ?? '') !== path;
          return outdated ? xml(403, 'AccessDenied') : undefined;
        })(scene);
      },
    ],
  }),
  ...breaking('upload/put-content-type-must-match', {
    'upload/put-takes-any-content-type': [
      'takes bytes with any Content-Type',
      storageTakes(({ params, request }) => typeSent({ params, request } as Asked) !== params.contentType),
    ],
    'upload/put-compares-the-type-alone': [
      'compares Content-Type up to the slash: image/png passes for image/jpeg',
      storageTakes(
        (asked) => typeSent(asked) !== '' && typeSent(asked).split('/')[0] === asked.params.contentType?.split('/')[0],
      ),
    ],
    'upload/put-compares-a-prefix': [
      'takes a Content-Type that begins as the one asked for does',
      storageTakes((asked) => typeSent(asked).startsWith(asked.params.contentType ?? '-')),
    ],
    'upload/put-without-content-type': [
      'compares Content-Type only where the PUT has one',
      storageTakes((asked) => typeSent(asked) === ''),
    ],
  }),
  ...breaking('upload/no-direct-bytes', {
    'upload/bytes-taken-directly': [
      'takes the bytes of a file at the API itself',
      instead(({ request, params, key, mock }) => {
        const type = request.headers['content-type'] ?? '';
        const direct = /^\/v1\/site\/[^/]+\/file(\/upload-url)?$/.test(request.url) && !type.includes('json');
        if (!direct || request.body === null || key === undefined || key.revoked) return undefined;
        return replyWith(201, { fileKey: crypto.randomUUID(), siteId: params.id ?? '', at: mock.clock.now() });
      }),
    ],
  }),
  ...breaking('upload/file-may-exceed-10mb', {
    'upload/storage-limit-10mb': [
      'holds uploaded files to the limit of API requests',
      instead(({ id, request }) =>
        id === 'storage' && bytesOf(request).length > 10 * 1024 * 1024 ? xml(400, 'EntityTooLarge') : undefined,
      ),
    ],
  }),
  ...breaking('upload/register-takes-file-key', {
    'upload/register-knows-no-key': [
      'finds no fileKey where a file is registered',
      onReply(({ id, reply }) =>
        id === 'registerSiteFile' && reply.status < 300 ? errorWith(404, 'NOT_FOUND') : undefined,
      ),
    ],
    'upload/file-key-is-forgotten': [
      'takes the bytes and forgets their fileKey, so that it is unknown where the file is registered',
      (scene) =>
        onReply(({ id, reply, request, mock }) => {
          if (id !== 'storage' || reply.status !== 200) return undefined;
          const [, , tenant = '', fileKey = ''] = (request.url.split('?')[0] ?? '').split('/');
          if (mock.tenants.get(tenant)?.files.delete(fileKey)) scene.reached();
          return undefined;
        })(scene),
    ],
    'upload/register-breaks': [
      'breaks where a file is registered, after it was stored',
      onReply(({ id, reply }) =>
        id === 'registerSiteFile' && reply.status === 201 ? errorWith(500, 'INTERNAL_SERVER_ERROR') : undefined,
      ),
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
