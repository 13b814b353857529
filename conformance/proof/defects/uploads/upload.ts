import {
  asObject,
  errorWith,
  type Json,
  jsonOf,
  objectOf,
  replyWith,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, bytesOf, onReply, withBody } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';

const started = (change: (answered: Answered) => { readonly [name: string]: Json | undefined }) =>
  onReply((answered) =>
    answered.id === 'startSiteFileUpload' && answered.reply.status === 201
      ? withProperties(answered.reply, change(answered))
      : undefined,
  );

/** Answers starts with a forbidden body as if the body were lawful. */
const lenient = (refusals: readonly string[], which: (body: Json) => boolean = () => true) =>
  onReply((answered) => {
    const { id, refused, request, ask } = answered;
    if (id !== 'startSiteFileUpload' || refused === null || !refusals.includes(refused)) return undefined;
    if (!which(jsonOf(new TextDecoder().decode(bytesOf(request))))) return undefined;
    return ask(withBody(request, '{"contentType":"text/plain"}'));
  });

const expiryIn = ({ mock }: Answered, minutes: number) => new Date(mock.clock.now() + minutes * 60_000).toISOString();

/** Changes the reply to some starts for sites that are unknown or foreign. */
const unknownSite = (foreign: boolean, status: number) =>
  onReply((answered) => {
    const { id, reply, params, mock } = answered;
    if (id !== 'startSiteFileUpload' || reply.status !== 404) return undefined;
    const somebodys = [...mock.tenants.values()].some((tenant) => tenant.sites.has(params.id ?? ''));
    if (somebodys !== foreign) return undefined;
    if (status >= 400) return errorWith(status, 'REFUSED');
    return replyWith(status, {
      fileKey: crypto.randomUUID(),
      uploadUrl: 'http://127.0.0.1:4010/storage/nowhere?X-Amz-Signature=x',
      uploadUrlExpiresAt: expiryIn(answered, 5),
    });
  });

export const upload: readonly Defect[] = [
  ...breaking('upload/target-file-key', {
    'upload/no-file-key': ['leaves fileKey out of an upload target', started(() => ({ fileKey: undefined }))],
    'upload/file-key-is-no-uuid': [
      'answers a fileKey that is a path',
      started(() => ({ fileKey: `uploads/${crypto.randomUUID()}/file` })),
    ],
    'upload/file-key-is-reused': [
      'answers the same fileKey for every start',
      started(() => ({ fileKey: 'f11e0001-0000-4000-8000-000000000001' })),
    ],
    'upload/file-key-cut-short': [
      'answers a UUID without its hyphens',
      started(({ reply }) => ({ fileKey: String(objectOf(reply).fileKey).replaceAll('-', '') })),
    ],
  }),
  ...breaking('upload/target-url', {
    'upload/no-upload-url': ['leaves uploadUrl out of an upload target', started(() => ({ uploadUrl: undefined }))],
    'upload/url-is-a-path': [
      'answers an uploadUrl without scheme and host',
      started(({ reply }) => {
        const { pathname, search } = new URL(String(objectOf(reply).uploadUrl));
        return { uploadUrl: pathname + search };
      }),
    ],
    'upload/url-is-an-object': [
      'answers uploadUrl as an object with a form to post',
      started(({ reply }) => ({ uploadUrl: { url: objectOf(reply).uploadUrl ?? '', fields: {} } })),
    ],
  }),
  ...breaking('upload/target-expiry', {
    'upload/no-expiry': [
      'leaves uploadUrlExpiresAt out of an upload target',
      started(() => ({ uploadUrlExpiresAt: undefined })),
    ],
    'upload/expiry-in-seconds': [
      'answers uploadUrlExpiresAt as seconds since the epoch',
      started(({ mock }) => ({ uploadUrlExpiresAt: Math.floor(mock.clock.now() / 1000) + 300 })),
    ],
    'upload/expiry-is-no-date-time': [
      'answers uploadUrlExpiresAt as HTTP writes dates',
      started((answered) => ({ uploadUrlExpiresAt: new Date(expiryIn(answered, 5)).toUTCString() })),
    ],
    'upload/expiry-without-zone': [
      'answers uploadUrlExpiresAt without an offset',
      started((answered) => ({ uploadUrlExpiresAt: expiryIn(answered, 5).replace('Z', '') })),
    ],
  }),
  ...([1, 15, 60] as const).map(
    (minutes): Defect => ({
      id: `upload/expires-in-${minutes}-minutes`,
      breaks: 'upload/url-lives-five-minutes',
      does: `says that upload URLs live ${minutes} minutes`,
      around: started((answered) => ({ uploadUrlExpiresAt: expiryIn(answered, minutes) })),
    }),
  ),
  ...breaking('upload/url-lives-five-minutes', {
    'upload/expiry-in-local-time': [
      'writes the local time of another zone as if it were UTC',
      started((answered) => ({ uploadUrlExpiresAt: expiryIn(answered, 5 - 6 * 60) })),
    ],
  }),
  ...breaking('upload/start-is-201', {
    'upload/start-answers-nothing': [
      'answers a start with 201 and an empty object, and its target in a header',
      onReply(({ id, reply }) =>
        id === 'startSiteFileUpload' && reply.status === 201
          ? { ...reply, headers: { ...reply.headers, location: String(objectOf(reply).uploadUrl) }, body: '{}' }
          : undefined,
      ),
    ],
    'upload/start-is-200': [
      'answers a start with 200',
      onReply(({ id, reply }) =>
        id === 'startSiteFileUpload' && reply.status === 201 ? { ...reply, status: 200 } : undefined,
      ),
    ],
    'upload/start-is-202': [
      'answers a start with 202',
      onReply(({ id, reply }) =>
        id === 'startSiteFileUpload' && reply.status === 201 ? { ...reply, status: 202 } : undefined,
      ),
    ],
  }),
  ...breaking('upload/no-additional-properties', {
    'upload/additional-properties-ignored': [
      'ignores properties of a start that it does not know',
      lenient(['additional-property']),
    ],
    'upload/additional-property-403': [
      'answers 403 to a start with a property that it does not know',
      onReply(({ refused }) => (refused === 'additional-property' ? errorWith(403, 'FORBIDDEN') : undefined)),
    ],
  }),
  ...breaking('upload/content-type-is-required', {
    'upload/content-type-defaults': [
      'takes application/octet-stream where contentType is missing',
      lenient(['missing-content-type']),
    ],
    'upload/content-type-may-be-empty': ['takes an empty contentType', lenient(['empty-content-type'])],
    'upload/content-type-may-be-a-number': [
      'makes text of a contentType that is a number',
      lenient(['wrong-json-type'], (body) => typeof asObject(body).contentType === 'number'),
    ],
    'upload/content-type-may-be-null': [
      'treats a contentType of null as missing, and takes a default',
      lenient(['wrong-json-type'], (body) => asObject(body).contentType === null),
    ],
    'upload/missing-content-type-500': [
      'breaks where contentType is missing',
      onReply(({ refused }) =>
        refused === 'missing-content-type' ? errorWith(500, 'INTERNAL_SERVER_ERROR') : undefined,
      ),
    ],
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/unknown-site-422': ['answers 422 for a site that does not exist', unknownSite(false, 422)],
    'upload/unknown-site-201': [
      'starts an upload for a site that does not exist, and looks only when it is registered',
      unknownSite(false, 201),
    ],
  }),
  ...breaking('upload/foreign-site-is-404', {
    'upload/foreign-site-403': [
      "answers 403 for another tenant's site, and so tells that it exists",
      unknownSite(true, 403),
    ],
    'upload/foreign-site-201': [
      "answers 201 for another tenant's site, with a URL that leads nowhere",
      unknownSite(true, 201),
    ],
  }),
];
