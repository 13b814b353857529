import type { ApiReply } from '../../../../mock/index.ts';
import {
  asArray,
  asObject,
  each,
  errorWith,
  type Json,
  objectOf,
  withJson,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, instead } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { isClosed } from '../../tampering/predicates.ts';
import {
  failing,
  inReply,
  onReplyTo,
  readingUrl,
  refusing,
  type When,
  withStatus,
  withText,
} from '../../tampering/when.ts';
import { wrongValue } from '../../tampering/wrong-value.ts';

const anyContext: When = { id: 'getConversationContext', ok: true };

/** Changes the contexts of conversations. */
const inContext = (change: Parameters<typeof inReply>[1], when: When = {}) =>
  inReply({ ...anyContext, ...when }, change);

/** Whether this key has sent no such request for this time. */
function afterIdle(milliseconds: number) {
  const last = new Map<string | undefined, number>();
  return ({ key, mock }: Asked) => {
    const now = mock.clock.now();
    const before = last.get(key?.id) ?? now;
    last.set(key?.id, now);
    return now - before > milliseconds;
  };
}

/** The record of the conversation whose context was asked for. */
const recordOf = async ({ ask, request }: Asked) =>
  objectOf(await ask({ ...request, url: request.url.replace('/context', '') }));

const closed: When = { ...anyContext, record: 'closed' };

export const context: readonly Defect[] = [
  ...breaking('context/strings', {
    'context/status-is-an-object': wrongValue(anyContext, 'status', 'an object', (text) => ({ code: 1, text })),
    'context/requester-is-an-object': wrongValue(anyContext, 'requester', 'a client summary', (name) => ({ name })),
    'context/type-is-a-list': wrongValue(anyContext, 'type', 'a list of one string', (type) => [type]),
    'context/subject-is-a-boolean-when-closed': wrongValue(closed, 'subject', 'false', () => false),
    'context/urgency-is-a-number-for-other-keys': [
      'answers urgency as a number to keys other than the widest',
      inContext(() => ({ urgency: 3 }), { where: ({ key }) => key?.name !== 'full' }),
    ],
    'context/subject-is-a-number-after-idle': [
      'answers the subject as a number to a key that asked nothing for two seconds',
      (scene) => inContext(() => ({ subject: 7 }), { where: afterIdle(2_000) })(scene),
    ],
    'context/number-with-authorization': [
      'answers a number as the subject where Authorization stands beside the key',
      inContext(() => ({ subject: 7 }), { authorization: /./ }),
    ],
  }),
  ...breaking('context/labels-are-strings', {
    'context/labels-are-records': wrongValue(anyContext, 'labels[]', 'records', (name) => ({ name })),
    'context/labels-are-one-string': wrongValue(anyContext, 'labels', 'a string with commas', (labels) =>
      asArray(labels).join(','),
    ),
    'context/labels-end-with-null': [
      'answers null in the place of a private label',
      inContext(({ labels }) => ({ labels: [...asArray(labels), null] })),
    ],
    'context/labels-are-null-when-closed': wrongValue(closed, 'labels', 'null', () => null),
  }),
  ...breaking('context/messages', {
    'context/is-internal-is-text': wrongValue(anyContext, 'messages[].isInternal', '"true" or "false"', String),
    'context/created-at-is-a-number': wrongValue(anyContext, 'messages[].createdAt', 'milliseconds', () => 1.7e12),
    'context/later-author-is-an-object': [
      'answers the author of every message but the first as an object',
      inContext(({ messages }) => ({
        messages: each(messages, (message, index) => (index === 0 ? message : { ...message, author: { name: 'x' } })),
      })),
    ],
    'context/attachments-are-urls': wrongValue(anyContext, 'messages[].attachments', 'addresses', () => [
      'https://files.example/1',
    ]),
    'context/transcription-id-is-a-number': wrongValue(
      anyContext,
      'messages[].attachments[].transcriptionId',
      'a number',
      () => 7,
    ),
    'context/messages-in-a-page': wrongValue(anyContext, 'messages', 'a page with items', (items) => ({ items })),
    'context/messages-are-null-when-closed': wrongValue(closed, 'messages', 'null', () => null),
    'context/messages-by-position-for-the-stranger': wrongValue(
      { ...anyContext, tenant: 'globex' },
      'messages',
      'an object keyed by position',
      (messages) => ({ ...asArray(messages) }),
    ),
    'context/raw-body-of-notes-is-an-object': wrongValue(
      anyContext,
      'messages[]',
      'notes whose rawBody is an object',
      (message) => (asObject(message).isInternal ? { ...asObject(message), rawBody: { text: '' } } : message),
    ),
  }),
  ...breaking('context/participants', {
    'context/agents-are-objects': wrongValue(anyContext, 'participants.agents[]', 'objects', (name) => ({ name })),
    'context/clients-are-names': wrongValue(anyContext, 'participants.clients', 'names', () => ['Dana']),
    'context/phone-number-is-a-number': wrongValue(
      anyContext,
      'participants.clients[].primaryPhoneNumber',
      'a number',
      () => 15125550101,
    ),
    'context/participants-are-a-list-when-closed': wrongValue(closed, 'participants', 'a list', () => []),
  }),
  ...breaking('context/sites', {
    'context/sites-are-ids': wrongValue(anyContext, 'sites[]', 'ids', (site) => asObject(site).id ?? ''),
    'context/service-level-is-a-number': wrongValue(anyContext, 'sites[].serviceLevel', 'a number', () => 4),
    'context/associated-conversations-are-ids': wrongValue(
      anyContext,
      'sites[].associatedConversations',
      'friendly ids',
      () => ['ACME-1001'],
    ),
    'context/resolution-is-an-object': wrongValue(
      anyContext,
      'sites[].associatedConversations[].resolution',
      'an object',
      () => ({}),
    ),
    'context/legacy-site-id-is-a-number': [
      'answers ids of sites that look like numbers as numbers',
      inContext(
        ({ sites }) => ({
          sites: each(sites, ({ id = '', ...site }) => ({
            ...site,
            id: /^\d+$/.test(String(id)) ? Number(id) : id,
            serviceLevel: 4,
          })),
        }),
        { record: 'closed' },
      ),
    ],
  }),
  ...breaking('context/get-answers-context', {
    'context/read-beside-another-request-500': [
      'answers 500 to a read of a context that another request about the conversation precedes by less than 20 ms',
      (scene) => {
        const askedAt = new Map<string | undefined, number>();
        return instead(({ id, params, mock }) => {
          const now = mock.clock.now();
          const before = askedAt.get(params.id) ?? Number.NEGATIVE_INFINITY;
          if (params.id !== undefined) askedAt.set(params.id, now);
          const isBeside = id === 'getConversationContext' && now - before < 20;
          return isBeside ? errorWith(500, 'INTERNAL_ERROR') : undefined;
        })(scene);
      },
    ],
    'context/of-an-unnamed-conversation-at-times': [
      'answers every twelfth context with the subject and messages of another conversation of the tenant',
      inContext(
        ({ messages }) => ({
          subject: 'The lift stands still',
          messages: asArray(messages)
            .slice(0, 1)
            .map((message) => ({ ...asObject(message), text: 'It stands still.', rawBody: 'It stands still.' })),
        }),
        { every: 12 },
      ),
    ],
    'context/is-the-one-before-at-times': [
      'answers every fifth context with the reply before, to whichever conversation and tenant: a shared buffer',
      (scene) => {
        let turn = 0;
        const replies: ApiReply[] = [];
        return onReplyTo(anyContext, ({ reply }) => {
          replies.push(reply);
          return ++turn % 5 === 0 ? replies.at(-2) : undefined;
        })(scene);
      },
    ],
    'context/is-the-record': [
      'answers the record of the conversation in place of its context',
      readingUrl(/\/context$/, ''),
    ],
    'context/in-an-envelope': [
      'answers the context inside data',
      onReplyTo(anyContext, ({ reply }) => withJson(reply, { data: objectOf(reply) })),
    ],
    'context/mixed-with-the-one-before': [
      'adds a message of the conversation that the tenant has read before, where that is another one',
      (scene) => {
        const read = new Map<
          string | undefined,
          { readonly id: string | undefined; readonly messages: readonly Json[] }
        >();
        return onReplyTo(anyContext, ({ key, params, reply }) => {
          const messages = asArray(objectOf(reply).messages);
          const before = read.get(key?.tenant);
          read.set(key?.tenant, { id: params.id, messages });
          return before && before.id !== params.id
            ? withProperties(reply, { messages: [...messages, ...before.messages.slice(0, 1)] })
            : undefined;
        })(scene);
      },
    ],
    'context/enveloped-or-empty': [
      'answers the context of an open conversation inside data, and that of a closed one as an empty object',
      onReplyTo(anyContext, (answered) =>
        withJson(answered.reply, isClosed(answered) ? {} : { data: objectOf(answered.reply) }),
      ),
    ],
    'context/is-a-list': [
      'answers a list with the context in it',
      onReplyTo(anyContext, ({ reply }) => withJson(reply, [objectOf(reply)])),
    ],
    'context/wants-a-body': failing(anyContext, 400, 'a body is required'),
    'context/unknown-to-its-owner-when-closed': failing(closed, 404),
    'context/unknown-to-a-second-key': [
      'answers a context to the first key that asks for it, and 404 to others of its tenant',
      (scene) => {
        const first = new Map<string, string | undefined>();
        const isSecond = ({ key, params }: Asked) => {
          const record = `${key?.tenant} ${params.id}`;
          if (!first.has(record)) first.set(record, key?.id);
          return first.get(record) !== key?.id;
        };
        return failing({ ...anyContext, where: isSecond }, 404)(scene);
      },
    ],
    'context/always-500-when-closed': refusing({ id: 'getConversationContext', usable: true, record: 'closed' }, 500),
    'context/empty-200-when-closed': withText(closed, ''),
    'context/answered-with-410': withStatus(anyContext, 410),
    'context/unknown-is-200': [
      'answers 200 with an error inside for the context of a conversation that nobody has',
      withStatus({ id: 'getConversationContext', where: ({ refused }) => refused?.startsWith('unknown-') }, 200),
    ],
    'context/breaks-for-narrow-keys': refusing({ id: 'getConversationContext', scopes: 1 }, 500),
  }),
  ...breaking('context/without-the-record', {
    'context/holds-the-record': [
      'answers a context with the whole record of the conversation inside',
      onReplyTo(anyContext, async (answered) =>
        withProperties(answered.reply, { conversation: await recordOf(answered) }),
      ),
    ],
    'context/merged-with-the-record-when-closed': [
      'answers the fields of a closed conversation among those of its context',
      onReplyTo(closed, async (answered) => withProperties(answered.reply, await recordOf(answered))),
    ],
  }),
];
