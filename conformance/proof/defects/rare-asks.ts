import {
  asArray,
  asObject,
  errorWith,
  jsonOf,
  objectOf,
  replyWith,
  withProperties,
} from '../../../mock/proof/tampering/json-value.ts';
import {
  type Answered,
  type Asked,
  bytesOf,
  instead,
  onReply,
  onRequest,
  withBody,
} from '../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { labelWriteOf } from '../tampering/label-write.ts';

const typeAsked = ({ request }: Asked) =>
  String(asObject(jsonOf(new TextDecoder().decode(bytesOf(request)))).contentType);

const broken = errorWith(500, 'INTERNAL');

/** The request with another site id. */
const ofSite = ({ request }: Asked, from: string, to: string) => ({
  ...request,
  url: request.url.replace(`/v1/site/${from}/`, `/v1/site/${to}/`),
});

const privateNames = ({ mock }: Answered) =>
  [...(mock.tenants.get('acme')?.records.labels.values() ?? [])]
    .filter(({ visibility }) => visibility === 'private')
    .map(({ id, name }) => ({ id, name }));

/** Faults that only rare requests or some keys show. */
export const rareAsks: readonly Defect[] = [
  ...breaking('upload/url-lives-five-minutes', {
    'upload/lives-longer-for-video': [
      'gives uploads of video an hour',
      onReply((answered) =>
        answered.id === 'startSiteFileUpload' && answered.ok && typeAsked(answered).startsWith('video/')
          ? withProperties(answered.reply, {
              uploadUrlExpiresAt: new Date(answered.mock.clock.now() + 3_600_000).toISOString(),
            })
          : undefined,
      ),
    ],
  }),
  ...breaking('upload/start-is-201', {
    'upload/breaks-for-parameters': [
      'answers 500 where the content type has parameters',
      instead((asked) =>
        asked.id === 'startSiteFileUpload' && asked.key && typeAsked(asked).includes(';') ? broken : undefined,
      ),
    ],
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/breaks-for-large-numbers': [
      'answers 500 where a site id is a number that is too large',
      instead(({ id, params, key }) =>
        id === 'startSiteFileUpload' && key && /^\d{12,}$/.test(params.id ?? '') ? broken : undefined,
      ),
    ],
    'upload/site-id-with-a-tail': [
      'reads a bare site id as far as it is a number',
      onRequest((asked) => {
        const [, number] = /^(\d+)\D/.exec(asked.params.id ?? '') ?? [];
        return asked.id === 'startSiteFileUpload' && number && asked.params.id
          ? ofSite(asked, asked.params.id, number)
          : undefined;
      }),
    ],
  }),
  ...breaking('upload/no-additional-properties', {
    'upload/additional-in-other-case': [
      'compares names of properties without their case, so that ContentType may stand beside contentType',
      onRequest((asked) => {
        const body = asObject(jsonOf(new TextDecoder().decode(bytesOf(asked.request))));
        return asked.id === 'startSiteFileUpload' && 'ContentType' in body && 'contentType' in body
          ? withBody(asked.request, JSON.stringify({ contentType: body.contentType }))
          : undefined;
      }),
    ],
  }),
  ...breaking('upload/register-takes-file-key', {
    'upload/large-file-breaks-registration': [
      'answers 500 whenever a file of more than 10 MB is registered',
      (scene) => {
        const large = new Set<string>();
        const keyIn = (url: string) =>
          /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(url.split('?')[0] ?? '')?.[0] ?? '';
        return instead((asked) => {
          const bytes = bytesOf(asked.request);
          if (asked.id === 'storage' && bytes.length > 10 * 1024 * 1024) large.add(keyIn(asked.request.url));
          if (asked.id !== 'registerSiteFile' || !asked.key) return undefined;
          return large.has(String(asObject(jsonOf(new TextDecoder().decode(bytes))).fileKey)) ? broken : undefined;
        })(scene);
      },
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/file-at-a-site-of-the-other': [
      "registers a tenant's own file at a site of the other one",
      onReply(({ id, refused, key }) =>
        id === 'registerSiteFile' && refused === 'foreign-site' && key
          ? replyWith(201, { fileKey: crypto.randomUUID() })
          : undefined,
      ),
    ],
  }),
  ...breaking('labels/private-never-in-a-reply', {
    'labels/private-listed-to-a-query': [
      'lists private labels where includePrivate is asked for',
      onReply((answered) => {
        const { id, ok, reply, request, key } = answered;
        if (id !== 'listLabels' || !ok || key?.tenant !== 'acme' || !request.url.includes('includePrivate'))
          return undefined;
        return withProperties(reply, { labels: [...asArray(objectOf(reply).labels), ...privateNames(answered)] });
      }),
    ],
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/applied-again-is-304': [
      'answers 304 where a label that a conversation carries is applied',
      instead((asked) => {
        const write = labelWriteOf(asked);
        const there = write?.label !== undefined && [...write.tenant.labelsOf(write.holder)].includes(write.label.id);
        return there &&
          write.does === 'apply' &&
          write.on === 'conversation' &&
          asked.key?.scopes.has('conversation:write')
          ? { status: 304, headers: {}, body: null }
          : undefined;
      }),
    ],
  }),
  ...breaking('context/get-answers-context', {
    'context/unknown-is-200': [
      'answers 200 with an error inside for the context of a conversation that nobody has',
      onReply(({ id, refused, reply }) =>
        id === 'getConversationContext' && refused?.startsWith('unknown-') ? { ...reply, status: 200 } : undefined,
      ),
    ],
    'context/breaks-for-narrow-keys': [
      'answers 500 for a context to keys with a single scope',
      instead(({ id, key }) => (id === 'getConversationContext' && key?.scopes.size === 1 ? broken : undefined)),
    ],
  }),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/missing-breaks': [
      'answers 500 to a key without any scope, in place of 403',
      onReply(({ refused, key }) => (refused === 'missing-scope' && key?.scopes.size === 0 ? broken : undefined)),
    ],
  }),
];
