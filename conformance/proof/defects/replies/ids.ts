import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, instead, onReply, onRequest } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';

const onSite = ({ id }: Asked) =>
  id === 'startSiteFileUpload' || id === 'applySiteLabel' || id === 'removeSiteLabel' || id === 'registerSiteFile';

/** Answers 404 for sites with some ids. */
const blindTo = (ids: RegExp, where: (asked: Asked) => boolean = onSite, status = 404) =>
  instead((asked) =>
    where(asked) && ids.test(asked.params.id ?? '') && asked.key !== undefined && !asked.key.revoked
      ? errorWith(status, status === 404 ? 'NOT_FOUND' : 'BAD_REQUEST')
      : undefined,
  );

const newer = /^ovaid-/;
const bare = /^\d+$/;
const acmesConversation = 'c0000001-0000-4000-8000-000000000001';

/** Answers requests with a malformed id as if it were correct. */
const lenient = (refusal: string, ids: readonly OperationId[], body: Parameters<typeof replyWith>[1]) =>
  onReply(({ refused, id }) =>
    refused === refusal && ids.some((one) => one === id) ? replyWith(200, body) : undefined,
  );

export const ids: readonly Defect[] = [
  ...breaking('ids/site-id', {
    'ids/newer-site-id-unknown': ['knows sites by bare ids alone', blindTo(newer)],
    'ids/newer-site-id-malformed-for-upload': [
      'wants a bare number where an upload is started',
      blindTo(newer, ({ id }) => id === 'startSiteFileUpload', 400),
    ],
    'ids/newer-site-id-malformed-for-apply': [
      'wants a bare number where a label is applied to a site',
      blindTo(newer, ({ id }) => id === 'applySiteLabel', 400),
    ],
    'ids/newer-site-id-malformed-for-remove': [
      'wants a bare number where a label is removed from a site',
      blindTo(newer, ({ id }) => id === 'removeSiteLabel', 400),
    ],
  }),
  ...breaking('ids/legacy-site-id-works', {
    'ids/legacy-id-malformed': [
      'takes a site id for malformed unless it begins with ovaid-',
      blindTo(bare, onSite, 400),
    ],
    'ids/legacy-id-unknown-for-upload': [
      'labels legacy sites, and does not find them where an upload is started',
      blindTo(bare, ({ id }) => id === 'startSiteFileUpload'),
    ],
    'ids/legacy-id-unknown-for-apply': [
      'starts uploads for legacy sites, and does not find them where a label is applied',
      blindTo(bare, ({ id }) => id === 'applySiteLabel'),
    ],
    'ids/legacy-id-unknown-for-remove': [
      'applies labels to legacy sites, and does not find them where a label is removed',
      blindTo(bare, ({ id }) => id === 'removeSiteLabel'),
    ],
  }),
  ...breaking('ids/malformed-is-refused', {
    'ids/malformed-conversation-id-served': [
      'answers a conversation id that is no UUID with an empty context',
      lenient('malformed-conversation-id', ['getConversationContext'], { labels: [] }),
    ],
    'ids/malformed-conversation-id-500': [
      'breaks on a conversation id that is no UUID',
      onReply(({ refused }) =>
        refused === 'malformed-conversation-id' ? errorWith(500, 'INTERNAL_SERVER_ERROR') : undefined,
      ),
    ],
    'ids/malformed-label-id-succeeds': [
      'answers 200 where a label id that is no UUID is removed from a conversation',
      lenient('malformed-label-id', ['removeConversationLabel'], { labels: [] }),
    ],
    'ids/malformed-label-id-applied-to-site': [
      'answers 200 where a label id that is no UUID is applied to a site',
      lenient('malformed-label-id', ['applySiteLabel'], { siteId: 'x', labels: [] }),
    ],
    'ids/client-id-without-prefix': [
      'takes a client id without ovcid- as well where a label of a link is removed',
      lenient('malformed-client-id', ['removeClientSiteLabel'], { labels: [] }),
    ],
    'ids/conversation-id-cut-off': [
      'reads the first 36 characters of a conversation id and ignores what follows',
      onRequest(({ request }) => {
        const url = request.url.replace(/(\/v1\/conversation\/[0-9a-f-]{36})[^/?]+/, '$1');
        return url === request.url ? undefined : { ...request, url };
      }),
    ],
    'ids/conversation-id-as-number': [
      'takes a position in the list of conversations for an id',
      onRequest(({ request }) => {
        const url = request.url.replace(/\/v1\/conversation\/\d+(?=\/|$)/, `/v1/conversation/${acmesConversation}`);
        return url === request.url ? undefined : { ...request, url };
      }),
    ],
  }),
];
