import { replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { type AskedWhen, failing, onReplyTo, readingUrl, refusing, told, type When } from '../../tampering/when.ts';

/** Does not find some sites, or takes their ids for malformed. */
const blindTo = (record: AskedWhen['record'], id: AskedWhen['id'], status: 400 | 404) =>
  refusing({ id, usable: true, record }, status);

/** Answers requests with a malformed id as if it were correct. */
const lenient = (id: When['id'], refused: When['refused'], siteId?: string) =>
  told(
    { id, refused },
    (which) => `answers 200 to ${which}`,
    onReplyTo({ id, refused }, () => replyWith(200, { ...(siteId && { siteId }), labels: [] })),
  );

export const ids: readonly Defect[] = [
  ...breaking('ids/site-id', {
    'ids/newer-site-id-malformed-for-upload': blindTo('newer', 'startSiteFileUpload', 400),
    'ids/newer-site-id-malformed-for-apply': blindTo('newer', 'applySiteLabel', 400),
    'ids/newer-site-id-malformed-for-remove': blindTo('newer', 'removeSiteLabel', 400),
    'ids/empty-site-id-served': [
      'takes an empty site id for the first site there is',
      readingUrl(/^\/v1\/site\/\//, '/v1/site/10042/'),
    ],
  }),
  ...breaking('ids/legacy-site-id-works', {
    'ids/legacy-id-unknown-for-apply': blindTo('legacy', 'applySiteLabel', 404),
    'ids/legacy-id-unknown-for-remove': blindTo('legacy', 'removeSiteLabel', 404),
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
    'ids/malformed-conversation-id-served': lenient('getConversationContext', 'malformed-conversation-id'),
    'ids/malformed-conversation-id-500': failing({ refused: 'malformed-conversation-id' }, 500),
    'ids/malformed-label-id-succeeds': lenient('removeConversationLabel', 'malformed-label-id'),
    'ids/malformed-label-id-applied-to-site': lenient('applySiteLabel', 'malformed-label-id', 'x'),
    'ids/client-id-without-prefix': lenient('removeClientSiteLabel', 'malformed-client-id'),
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
