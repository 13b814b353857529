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
import type { Defect } from '../../tampering/defect.ts';

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
  {
    id: 'upload/no-file-key',
    breaks: 'upload/target-file-key',
    does: 'leaves fileKey out of an upload target',
    around: started(() => ({ fileKey: undefined })),
  },
  {
    id: 'upload/file-key-is-no-uuid',
    breaks: 'upload/target-file-key',
    does: 'answers a fileKey that is a path',
    around: started(() => ({ fileKey: `uploads/${crypto.randomUUID()}/file` })),
  },
  {
    id: 'upload/file-key-is-reused',
    breaks: 'upload/target-file-key',
    does: 'answers the same fileKey for every start',
    around: started(() => ({ fileKey: 'f11e0001-0000-4000-8000-000000000001' })),
  },
  {
    id: 'upload/file-key-cut-short',
    breaks: 'upload/target-file-key',
    does: 'answers a UUID without its hyphens',
    around: started(({ reply }) => ({ fileKey: String(objectOf(reply).fileKey).replaceAll('-', '') })),
  },
  {
    id: 'upload/no-upload-url',
    breaks: 'upload/target-url',
    does: 'leaves uploadUrl out of an upload target',
    around: started(() => ({ uploadUrl: undefined })),
  },
  {
    id: 'upload/url-is-a-path',
    breaks: 'upload/target-url',
    does: 'answers an uploadUrl without scheme and host',
    around: started(({ reply }) => {
      const { pathname, search } = new URL(String(objectOf(reply).uploadUrl));
      return { uploadUrl: pathname + search };
    }),
  },
  {
    id: 'upload/url-is-an-object',
    breaks: 'upload/target-url',
    does: 'answers uploadUrl as an object with a form to post',
    around: started(({ reply }) => ({ uploadUrl: { url: objectOf(reply).uploadUrl ?? '', fields: {} } })),
  },
  {
    id: 'upload/no-expiry',
    breaks: 'upload/target-expiry',
    does: 'leaves uploadUrlExpiresAt out of an upload target',
    around: started(() => ({ uploadUrlExpiresAt: undefined })),
  },
  {
    id: 'upload/expiry-in-seconds',
    breaks: 'upload/target-expiry',
    does: 'answers uploadUrlExpiresAt as seconds since the epoch',
    around: started(({ mock }) => ({ uploadUrlExpiresAt: Math.floor(mock.clock.now() / 1000) + 300 })),
  },
  {
    id: 'upload/expiry-is-no-date-time',
    breaks: 'upload/target-expiry',
    does: 'answers uploadUrlExpiresAt as HTTP writes dates',
    around: started((answered) => ({ uploadUrlExpiresAt: new Date(expiryIn(answered, 5)).toUTCString() })),
  },
  {
    id: 'upload/expiry-without-zone',
    breaks: 'upload/target-expiry',
    does: 'answers uploadUrlExpiresAt without an offset',
    around: started((answered) => ({ uploadUrlExpiresAt: expiryIn(answered, 5).replace('Z', '') })),
  },
  ...([1, 15, 60] as const).map(
    (minutes): Defect => ({
      id: `upload/expires-in-${minutes}-minutes`,
      breaks: 'upload/url-lives-five-minutes',
      does: `says that upload URLs live ${minutes} minutes`,
      around: started((answered) => ({ uploadUrlExpiresAt: expiryIn(answered, minutes) })),
    }),
  ),
  {
    id: 'upload/expiry-in-local-time',
    breaks: 'upload/url-lives-five-minutes',
    does: 'writes the local time of another zone as if it were UTC',
    around: started((answered) => ({ uploadUrlExpiresAt: expiryIn(answered, 5 - 6 * 60) })),
  },
  {
    id: 'upload/start-answers-nothing',
    breaks: 'upload/start-is-201',
    does: 'answers a start with 201 and an empty object, and its target in a header',
    around: onReply(({ id, reply }) =>
      id === 'startSiteFileUpload' && reply.status === 201
        ? { ...reply, headers: { ...reply.headers, location: String(objectOf(reply).uploadUrl) }, body: '{}' }
        : undefined,
    ),
  },
  {
    id: 'upload/start-is-200',
    breaks: 'upload/start-is-201',
    does: 'answers a start with 200',
    around: onReply(({ id, reply }) =>
      id === 'startSiteFileUpload' && reply.status === 201 ? { ...reply, status: 200 } : undefined,
    ),
  },
  {
    id: 'upload/start-is-202',
    breaks: 'upload/start-is-201',
    does: 'answers a start with 202',
    around: onReply(({ id, reply }) =>
      id === 'startSiteFileUpload' && reply.status === 201 ? { ...reply, status: 202 } : undefined,
    ),
  },
  {
    id: 'upload/additional-properties-ignored',
    breaks: 'upload/no-additional-properties',
    does: 'ignores properties of a start that it does not know',
    around: lenient(['additional-property']),
  },
  {
    id: 'upload/additional-property-403',
    breaks: 'upload/no-additional-properties',
    does: 'answers 403 to a start with a property that it does not know',
    around: onReply(({ refused }) => (refused === 'additional-property' ? errorWith(403, 'FORBIDDEN') : undefined)),
  },
  {
    id: 'upload/content-type-defaults',
    breaks: 'upload/content-type-is-required',
    does: 'takes application/octet-stream where contentType is missing',
    around: lenient(['missing-content-type']),
  },
  {
    id: 'upload/content-type-may-be-empty',
    breaks: 'upload/content-type-is-required',
    does: 'takes an empty contentType',
    around: lenient(['empty-content-type']),
  },
  {
    id: 'upload/content-type-may-be-a-number',
    breaks: 'upload/content-type-is-required',
    does: 'makes text of a contentType that is a number',
    around: lenient(['wrong-json-type'], (body) => typeof asObject(body).contentType === 'number'),
  },
  {
    id: 'upload/content-type-may-be-null',
    breaks: 'upload/content-type-is-required',
    does: 'takes null for no contentType, and a default for that',
    around: lenient(['wrong-json-type'], (body) => asObject(body).contentType === null),
  },
  {
    id: 'upload/missing-content-type-500',
    breaks: 'upload/content-type-is-required',
    does: 'breaks where contentType is missing',
    around: onReply(({ refused }) =>
      refused === 'missing-content-type' ? errorWith(500, 'INTERNAL_SERVER_ERROR') : undefined,
    ),
  },
  {
    id: 'upload/unknown-site-422',
    breaks: 'upload/unknown-site-is-404',
    does: 'answers 422 for a site that does not exist',
    around: unknownSite(false, 422),
  },
  {
    id: 'upload/unknown-site-201',
    breaks: 'upload/unknown-site-is-404',
    does: 'starts an upload for a site that does not exist, and looks only when it is registered',
    around: unknownSite(false, 201),
  },
  {
    id: 'upload/foreign-site-403',
    breaks: 'upload/foreign-site-is-404',
    does: "answers 403 for another tenant's site, and so tells that it exists",
    around: unknownSite(true, 403),
  },
  {
    id: 'upload/foreign-site-201',
    breaks: 'upload/foreign-site-is-404',
    does: "answers 201 for another tenant's site, with a URL that leads nowhere",
    around: unknownSite(true, 201),
  },
];
