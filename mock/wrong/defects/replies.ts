import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { asArray, type Json, objectOf, withJson } from '../tampering/json-value.ts';
import { failing, inListed, inReply, onReplyTo, refusing, type When, withStatus, withText } from '../tampering/when.ts';
import { wrongValue } from '../tampering/wrong-value.ts';

/** Lawful requests: the rule that demands that they are served, and a record or key for which alone they may fail. */
const lawful: Partial<Record<OperationId, readonly [RuleId, When?]>> = {
  getHealth: ['service/named-endpoints-exist'],
  getConversation: ['service/named-endpoints-exist', { record: 'closed' }],
  getConversationContext: ['context/get-answers-context', { record: 'closed' }],
  listLabels: ['labels/listing-gives-public-labels', { key: 'none' }],
  applyConversationLabel: ['labels/conversation-apply', { record: 'closed' }],
  removeConversationLabel: ['labels/conversation-remove', { record: 'closed' }],
  applySiteLabel: ['labels/site-apply', { record: 'legacy' }],
  removeClientSiteLabel: ['labels/link-remove'],
  startSiteFileUpload: ['upload/start-is-201', { record: 'newer' }],
  registerSiteFile: ['upload/register-takes-file-key'],
};

/** Lawful requests that are not served, or answered otherwise: each fault at each operation. */
export const served: readonly Defect[] = [
  ...Object.entries(lawful).flatMap(([operation, [rule, part]]) => {
    const id = operation as OperationId;
    const area = rule.split('/')[0];
    const ok = { id, ok: true } as const;
    return [
      ...breaking(rule, {
        [`${area}/${id}-answers-501`]: refusing({ id }, 501),
        [`${area}/${id}-answers-410`]: failing(ok, 410),
        [`${area}/${id}-with-status-418`]: withStatus(ok, 418),
        [`${area}/${id}-fails-every-second-time`]: failing({ ...ok, every: 2 }, 400),
        ...(part && { [`${area}/${id}-breaks-for-some`]: failing({ ...ok, ...part }, 500) }),
      }),
      ...breaking('transport/json-both-ways', {
        [`transport/${id}-answers-text`]: withText(ok, (body) => `record ${body}`),
        ...(part && {
          [`transport/${id}-cut-off-for-some`]: withText({ ...ok, ...part }, (body) => body.slice(0, -9)),
        }),
      }),
    ];
  }),
  ...(['startSiteFileUpload', 'applySiteLabel', 'removeSiteLabel'] as const).flatMap((id) => [
    ...breaking('ids/site-id', {
      [`ids/newer-id-malformed-for-${id}`]: refusing({ id, usable: true, record: 'newer' }, 400),
    }),
    ...breaking('ids/legacy-site-id-works', {
      [`ids/legacy-id-unknown-for-${id}`]: refusing({ id, usable: true, record: 'legacy' }, 404),
    }),
  ]),
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-on-upload': refusing({ id: 'startSiteFileUpload' }, 401),
    'auth/second-key-refused': refusing({ usable: true, where: ({ key }) => key?.name.startsWith('only-') }, 403),
    'auth/strangers-key-refused': refusing({ tenant: 'globex', key: 'reader' }, 403),
    'auth/narrow-key-expires': refusing({ key: 'only-conversation-read', after: 40 }, 401),
  }),
  ...breaking('scopes/named-scopes-suffice', {
    'scopes/closed-needs-read-too': refusing(
      { id: 'applyConversationLabel', usable: true, lacks: 'conversation:read', record: 'closed' },
      403,
    ),
    'scopes/context-needs-client-read-too': refusing(
      { id: 'getConversationContext', usable: true, lacks: 'client:read' },
      403,
    ),
    'scopes/upload-needs-site-write-too': refusing(
      { id: 'startSiteFileUpload', usable: true, lacks: 'site:write' },
      403,
    ),
    'scopes/link-needs-conversation-write-too': refusing(
      { id: 'removeClientSiteLabel', usable: true, lacks: 'conversation:write' },
      403,
    ),
  }),
];

type Value = Parameters<typeof wrongValue>[2];

const wrong = {
  missing: () => undefined,
  null: () => null,
  number: () => 7,
  text: (value) => (Array.isArray(value) ? value.join() : String(value)),
  list: (value) => [value],
  object: (value) => ({ value }),
  empty: () => '',
} as const satisfies Record<string, Value>;

type Kind = keyof typeof wrong;
type Places = Readonly<Record<string, readonly [rule: RuleId, ...kinds: Kind[]]>>;

/** Another form at each place: the first everywhere, the others only under a condition. */
const malformed = (area: string, everywhere: When, [condition, narrow]: readonly [string, When], places: Places) =>
  Object.entries(places).flatMap(([place, [rule, ...kinds]]) =>
    kinds.flatMap((kind, i): Defect[] => {
      const [words, when] = i === 0 ? ['', everywhere] : [`-${condition}`, { ...everywhere, ...narrow }];
      const name = place.replaceAll('[]', '-items').replaceAll('.', '-') || 'body';
      return breaking(rule, { [`${area}/${name}-${kind}${words}`]: wrongValue(when, place, wrong[kind]) });
    }),
  );

const context: When = { id: 'getConversationContext', ok: true };
const closed = ['when-closed', { record: 'closed' }] as const;
const start: When = { id: 'startSiteFileUpload', ok: true };
const ofSite: When = { id: ['applySiteLabel', 'removeSiteLabel'], ok: true };
const legacy = ['for-legacy', { record: 'legacy' }] as const;
/** Refusals by the service, not by a gateway. */
const error: When = { status: [400, 404, 409, 422], where: ({ id }) => id !== null && id !== 'storage' };
const throttled: When = { status: 429 };

const [strings, messages, participants, sites] = [
  'context/strings',
  'context/messages',
  'context/participants',
  'context/sites',
] as const;

/** Replies of another form than the specification shows, place by place. */
export const forms: readonly Defect[] = [
  ...malformed('context', context, closed, {
    subject: [strings, 'number', 'list'],
    status: [strings, 'object', 'number'],
    requester: [strings, 'object'],
    type: [strings, 'list'],
    labels: ['context/labels-are-strings', 'text', 'null', 'object'],
    'labels[]': ['context/labels-are-strings', 'object', 'number'],
    messages: [messages, 'object', 'null'],
    'messages[].author': [messages, 'object', 'number'],
    'messages[].isInternal': [messages, 'text'],
    'messages[].createdAt': [messages, 'number'],
    'messages[].rawBody': [messages, 'object', 'list'],
    'messages[].attachments': [messages, 'text', 'object'],
    'messages[].attachments[].transcriptionId': [messages, 'number'],
    participants: [participants, 'list', 'text'],
    'participants.agents[]': [participants, 'object'],
    'participants.clients': [participants, 'object'],
    'participants.clients[].primaryPhoneNumber': [participants, 'number'],
    sites: [sites, 'object', 'null'],
    'sites[].id': [sites, 'number'],
    'sites[].serviceLevel': [sites, 'number'],
    'sites[].associatedConversations': [sites, 'text'],
    'sites[].associatedConversations[].resolution': [sites, 'object'],
  }),
  ...malformed('upload', start, legacy, {
    fileKey: ['upload/target-file-key', 'missing', 'number'],
    uploadUrl: ['upload/target-url', 'missing', 'object', 'null'],
    uploadUrlExpiresAt: ['upload/target-expiry', 'missing', 'number', 'empty'],
  }),
  ...malformed('labels', ofSite, legacy, {
    siteId: ['labels/site-label-set', 'missing', 'number'],
    labels: ['labels/site-label-set', 'missing', 'object', 'null'],
    'labels[]': ['labels/site-label-set', 'text', 'list'],
  }),
  ...malformed('errors', error, legacy, {
    error: ['errors/body', 'missing', 'text', 'list'],
    'error.code': ['errors/body', 'missing', 'number', 'empty'],
    'error.message': ['errors/body', 'missing', 'list', 'object'],
  }),
  ...malformed('limiter', throttled, ['for-reads', { method: 'GET' }], {
    message: ['limiter/429-body-is-one-message', 'object', 'missing'],
  }),
  ...breaking('limiter/429-body-is-one-message', {
    'limiter/body-with-a-second-field': inReply(throttled, () => ({ requestId: 'r-1' })),
    'limiter/body-is-text': withText(throttled, 'slow down', 'text/plain'),
  }),
  ...breaking('context/get-answers-context', {
    'context/is-a-list': onReplyTo(context, ({ reply }) => withJson(reply, [objectOf(reply)])),
    'context/in-an-envelope': onReplyTo(context, ({ reply }) => withJson(reply, { data: objectOf(reply) })),
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/listing-has-names-alone': inListed(({ name = null }) => name),
    'labels/listing-has-some-numeric-ids': inListed((label, index) =>
      label.name === 'spare' ? label : { ...label, id: index + 1 },
    ),
    'labels/listing-lacks-spares': inReply({ id: 'listLabels', ok: true }, ({ labels }) => ({
      labels: asArray(labels).filter((label) => (label as { name?: Json }).name !== 'spare'),
    })),
    'labels/listing-lacks-one-now-and-then': inReply({ id: 'listLabels', ok: true, every: 3 }, ({ labels }) => ({
      labels: asArray(labels).slice(1),
    })),
    'labels/listing-for-narrow-keys-is-empty': inReply({ id: 'listLabels', ok: true, key: 'none' }, () => ({
      labels: [],
    })),
  }),
  ...breaking('errors/body', {
    'errors/empty-on-label-404': withText({ refused: /(unknown|foreign|private)-label/ }, ''),
    'errors/html-for-malformed-json': withText({ refused: 'malformed-json' }, '<h1>Error</h1>', 'text/html'),
    'errors/html-for-an-unknown-link': withText({ refused: 'unknown-link' }, '<h1>Error</h1>', 'text/html'),
    'errors/html-for-unknown-site': withText({ id: 'startSiteFileUpload', status: 404 }, '<h1>Error</h1>', 'text/html'),
  }),
];
