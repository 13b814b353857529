import { asObject, errorWith, jsonOf, objectOf, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, bytesOf, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import type { Defect } from '../../tampering/defect.ts';

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
  {
    id: 'upload/expiry-enforced-late',
    breaks: 'upload/expired-url-is-refused',
    does: 'says 5 minutes, and takes bytes for an hour',
    around: storageTakes(({ request, mock }) => {
      const date = new URLSearchParams(request.url.split('?')[1] ?? '').get('X-Amz-Date') ?? '';
      const issuedAt = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
      const age = mock.clock.now() - issuedAt;
      return age >= 300_000 && age < 3_600_000;
    }),
  },
  {
    id: 'upload/expired-is-ignored',
    breaks: 'upload/expired-url-is-refused',
    does: 'answers 200 to a PUT after expiry, and drops the bytes',
    around: onReply(({ id, reply }) =>
      id === 'storage' && reply.body?.includes('Request has expired')
        ? { status: 200, headers: { etag: '"x"' }, body: null }
        : undefined,
    ),
  },
  {
    id: 'upload/put-refused',
    breaks: 'upload/put-accepts-bytes',
    does: 'signs upload URLs with a secret that the storage does not know',
    around: instead(({ id }) => (id === 'storage' ? xml(403, 'SignatureDoesNotMatch') : undefined)),
  },
  {
    id: 'upload/put-needs-the-key',
    breaks: 'upload/put-accepts-bytes',
    does: 'wants the API key on the PUT to the storage too',
    around: instead(({ id, key }) => (id === 'storage' && key === undefined ? xml(403, 'AccessDenied') : undefined)),
  },
  {
    id: 'upload/put-takes-any-content-type',
    breaks: 'upload/put-content-type-must-match',
    does: 'takes bytes with any Content-Type',
    around: storageTakes(({ params, request }) => typeSent({ params, request } as Asked) !== params.contentType),
  },
  {
    id: 'upload/put-compares-the-type-alone',
    breaks: 'upload/put-content-type-must-match',
    does: 'compares Content-Type up to the slash: image/png passes for image/jpeg',
    around: storageTakes(
      (asked) => typeSent(asked) !== '' && typeSent(asked).split('/')[0] === asked.params.contentType?.split('/')[0],
    ),
  },
  {
    id: 'upload/put-compares-a-prefix',
    breaks: 'upload/put-content-type-must-match',
    does: 'takes a Content-Type that begins as the one asked for does',
    around: storageTakes((asked) => typeSent(asked).startsWith(asked.params.contentType ?? '-')),
  },
  {
    id: 'upload/put-without-content-type',
    breaks: 'upload/put-content-type-must-match',
    does: 'compares Content-Type only where the PUT has one',
    around: storageTakes((asked) => typeSent(asked) === ''),
  },
  {
    id: 'upload/bytes-taken-directly',
    breaks: 'upload/no-direct-bytes',
    does: 'takes the bytes of a file at the API itself',
    around: instead(({ request, params, key, mock }) => {
      const type = request.headers['content-type'] ?? '';
      const direct = /^\/v1\/site\/[^/]+\/file(\/upload-url)?$/.test(request.url) && !type.includes('json');
      if (!direct || request.body === null || key === undefined || key.revoked) return undefined;
      return replyWith(201, { fileKey: crypto.randomUUID(), siteId: params.id ?? '', at: mock.clock.now() });
    }),
  },
  {
    id: 'upload/storage-limit-10mb',
    breaks: 'upload/file-may-exceed-10mb',
    does: 'holds uploaded files to the limit of API requests',
    around: instead(({ id, request }) =>
      id === 'storage' && bytesOf(request).length > 10 * 1024 * 1024 ? xml(400, 'EntityTooLarge') : undefined,
    ),
  },
  {
    id: 'upload/register-knows-no-key',
    breaks: 'upload/register-takes-file-key',
    does: 'finds no fileKey where a file is registered',
    around: onReply(({ id, reply }) =>
      id === 'registerSiteFile' && reply.status < 300 ? errorWith(404, 'NOT_FOUND') : undefined,
    ),
  },
  {
    id: 'upload/file-key-is-forgotten',
    breaks: 'upload/register-takes-file-key',
    does: 'takes the bytes and forgets their fileKey, so that it is unknown where the file is registered',
    around: (scene) =>
      onReply(({ id, reply, request, mock }) => {
        if (id !== 'storage' || reply.status !== 200) return undefined;
        const [, , tenant = '', fileKey = ''] = (request.url.split('?')[0] ?? '').split('/');
        if (mock.tenants.get(tenant)?.files.delete(fileKey)) scene.reached();
        return undefined;
      })(scene),
  },
  {
    id: 'upload/register-breaks',
    breaks: 'upload/register-takes-file-key',
    does: 'breaks where a file is registered, after it was stored',
    around: onReply(({ id, reply }) =>
      id === 'registerSiteFile' && reply.status === 201 ? errorWith(500, 'INTERNAL_SERVER_ERROR') : undefined,
    ),
  },
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
