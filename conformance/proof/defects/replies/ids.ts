import { replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { type AskedWhen, failing, onReplyTo, readingUrl, refusing, type When } from '../../tampering/when.ts';

/** Answers 404 or 400 for sites with ids of this form. */
const blindTo = (form: RegExp, status: 400 | 404, id: AskedWhen['id']) =>
  refusing({ id, usable: true, where: ({ params }) => form.test(params.id ?? '') }, status);

const newer = /^ovaid-/;
const bare = /^\d+$/;

/** Answers requests with a malformed id as if it were correct. */
const lenient = (when: When, siteId?: string) =>
  onReplyTo(when, () => replyWith(200, { ...(siteId && { siteId }), labels: [] }));

export const ids: readonly Defect[] = [
  ...breaking('ids/site-id', {
    'ids/newer-site-id-malformed-for-upload': [
      'wants a bare number where an upload is started',
      blindTo(newer, 400, 'startSiteFileUpload'),
    ],
    'ids/newer-site-id-malformed-for-apply': [
      'wants a bare number where a label is applied to a site',
      blindTo(newer, 400, 'applySiteLabel'),
    ],
    'ids/newer-site-id-malformed-for-remove': [
      'wants a bare number where a label is removed from a site',
      blindTo(newer, 400, 'removeSiteLabel'),
    ],
    'ids/empty-site-id-served': [
      'takes an empty site id for the first site there is',
      readingUrl(/^\/v1\/site\/\//, '/v1/site/10042/'),
    ],
  }),
  ...breaking('ids/legacy-site-id-works', {
    'ids/legacy-id-unknown-for-apply': [
      'starts uploads for legacy sites, and does not find them where a label is applied',
      blindTo(bare, 404, 'applySiteLabel'),
    ],
    'ids/legacy-id-unknown-for-remove': [
      'applies labels to legacy sites, and does not find them where a label is removed',
      blindTo(bare, 404, 'removeSiteLabel'),
    ],
    'ids/legacy-id-unknown-to-second-key': [
      'finds legacy sites for the widest key alone, where an upload is started',
      refusing(
        { id: 'startSiteFileUpload', usable: true, record: 'legacy', where: ({ key }) => key?.name !== 'full' },
        404,
      ),
    ],
    'ids/legacy-site-wants-post': refusing({ id: 'applySiteLabel', usable: true, record: 'legacy' }, 405),
  }),
  ...breaking('ids/malformed-is-refused', {
    'ids/malformed-conversation-id-served': [
      'answers a conversation id that is no UUID with an empty context',
      lenient({ refused: 'malformed-conversation-id', id: 'getConversationContext' }),
    ],
    'ids/malformed-conversation-id-500': failing({ refused: 'malformed-conversation-id' }, 500),
    'ids/malformed-label-id-succeeds': [
      'answers 200 where a label id that is no UUID is removed from a conversation',
      lenient({ refused: 'malformed-label-id', id: 'removeConversationLabel' }),
    ],
    'ids/malformed-label-id-applied-to-site': [
      'answers 200 where a label id that is no UUID is applied to a site',
      lenient({ refused: 'malformed-label-id', id: 'applySiteLabel' }, 'x'),
    ],
    'ids/client-id-without-prefix': [
      'takes a client id without ovcid- as well where a label of a link is removed',
      lenient({ refused: 'malformed-client-id', id: 'removeClientSiteLabel' }),
    ],
    'ids/conversation-id-cut-off': [
      'reads the first 36 characters of a conversation id and ignores what follows',
      readingUrl(/(\/v1\/conversation\/[0-9a-f-]{36})[^/?]+/, '$1'),
    ],
    'ids/conversation-id-as-number': [
      'takes a position in the list of conversations for an id',
      readingUrl(/\/v1\/conversation\/\d+(?=\/|$)/, '/v1/conversation/c0000001-0000-4000-8000-000000000001'),
    ],
    'ids/label-id-cut-off': [
      'reads the first 36 characters of a label id and ignores what follows',
      readingUrl(/(\/label\/[0-9a-f-]{36})[^/?]+/, '$1'),
    ],
  }),
];
