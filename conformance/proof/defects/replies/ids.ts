import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, instead, onReply, onRequest } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import type { Defect } from '../../tampering/defect.ts';

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
  {
    id: 'ids/newer-site-id-unknown',
    breaks: 'ids/site-id',
    does: 'knows sites by bare ids alone',
    around: blindTo(newer),
  },
  {
    id: 'ids/newer-site-id-malformed-for-upload',
    breaks: 'ids/site-id',
    does: 'wants a bare number where an upload is started',
    around: blindTo(newer, ({ id }) => id === 'startSiteFileUpload', 400),
  },
  {
    id: 'ids/newer-site-id-malformed-for-apply',
    breaks: 'ids/site-id',
    does: 'wants a bare number where a label is applied to a site',
    around: blindTo(newer, ({ id }) => id === 'applySiteLabel', 400),
  },
  {
    id: 'ids/newer-site-id-malformed-for-remove',
    breaks: 'ids/site-id',
    does: 'wants a bare number where a label is removed from a site',
    around: blindTo(newer, ({ id }) => id === 'removeSiteLabel', 400),
  },
  {
    id: 'ids/legacy-id-malformed',
    breaks: 'ids/legacy-site-id-works',
    does: 'takes a site id for malformed unless it begins with ovaid-',
    around: blindTo(bare, onSite, 400),
  },
  {
    id: 'ids/legacy-id-unknown-for-upload',
    breaks: 'ids/legacy-site-id-works',
    does: 'labels legacy sites, and does not find them where an upload is started',
    around: blindTo(bare, ({ id }) => id === 'startSiteFileUpload'),
  },
  {
    id: 'ids/legacy-id-unknown-for-apply',
    breaks: 'ids/legacy-site-id-works',
    does: 'starts uploads for legacy sites, and does not find them where a label is applied',
    around: blindTo(bare, ({ id }) => id === 'applySiteLabel'),
  },
  {
    id: 'ids/legacy-id-unknown-for-remove',
    breaks: 'ids/legacy-site-id-works',
    does: 'applies labels to legacy sites, and does not find them where a label is removed',
    around: blindTo(bare, ({ id }) => id === 'removeSiteLabel'),
  },
  {
    id: 'ids/malformed-conversation-id-served',
    breaks: 'ids/malformed-is-refused',
    does: 'answers a conversation id that is no UUID with an empty context',
    around: lenient('malformed-conversation-id', ['getConversationContext'], { labels: [] }),
  },
  {
    id: 'ids/malformed-conversation-id-500',
    breaks: 'ids/malformed-is-refused',
    does: 'breaks on a conversation id that is no UUID',
    around: onReply(({ refused }) =>
      refused === 'malformed-conversation-id' ? errorWith(500, 'INTERNAL_SERVER_ERROR') : undefined,
    ),
  },
  {
    id: 'ids/malformed-label-id-succeeds',
    breaks: 'ids/malformed-is-refused',
    does: 'answers 200 where a label id that is no UUID is removed from a conversation',
    around: lenient('malformed-label-id', ['removeConversationLabel'], { labels: [] }),
  },
  {
    id: 'ids/malformed-label-id-applied-to-site',
    breaks: 'ids/malformed-is-refused',
    does: 'answers 200 where a label id that is no UUID is applied to a site',
    around: lenient('malformed-label-id', ['applySiteLabel'], { siteId: 'x', labels: [] }),
  },
  {
    id: 'ids/client-id-without-prefix',
    breaks: 'ids/malformed-is-refused',
    does: 'takes a client id without ovcid- as well where a label of a link is removed',
    around: lenient('malformed-client-id', ['removeClientSiteLabel'], { labels: [] }),
  },
  {
    id: 'ids/conversation-id-cut-off',
    breaks: 'ids/malformed-is-refused',
    does: 'reads the first 36 characters of a conversation id and ignores what follows',
    around: onRequest(({ request }) => {
      const url = request.url.replace(/(\/v1\/conversation\/[0-9a-f-]{36})[^/?]+/, '$1');
      return url === request.url ? undefined : { ...request, url };
    }),
  },
  {
    id: 'ids/conversation-id-as-number',
    breaks: 'ids/malformed-is-refused',
    does: 'takes a position in the list of conversations for an id',
    around: onRequest(({ request }) => {
      const url = request.url.replace(/\/v1\/conversation\/\d+(?=\/|$)/, `/v1/conversation/${acmesConversation}`);
      return url === request.url ? undefined : { ...request, url };
    }),
  },
];
