import type { ApiReply } from '../../../../mock/index.ts';
import {
  asArray,
  asObject,
  each,
  objectOf,
  withJson,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import type { Asked } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
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
const closed: When = { ...anyContext, record: 'closed' };

/** Answers another value at a place of contexts. */
const wrong = (place: string, change: Parameters<typeof wrongValue>[2], when = anyContext) =>
  wrongValue(when, place, change);

/** The record of the conversation whose context was asked for. */
const recordOf = async ({ ask, request }: Asked) =>
  objectOf(await ask({ ...request, url: request.url.replace('/context', '') }));

/** Contexts of another form, of another conversation, or none. */
export const context: readonly Defect[] = [
  ...breaking('context/strings', {
    'context/status-is-an-object': wrong('status', (text) => ({ code: 1, text })),
    'context/requester-is-an-object': wrong('requester', (name) => ({ name })),
    'context/type-is-a-list': wrong('type', (type) => [type]),
    'context/subject-is-a-boolean-when-closed': wrong('subject', () => false, closed),
    'context/number-with-authorization': inReply({ ...anyContext, authorization: /./ }, () => ({ subject: 7 })),
  }),
  ...breaking('context/labels-are-strings', {
    'context/labels-are-records': wrong('labels[]', (name) => ({ name })),
    'context/labels-are-one-string': wrong('labels', (labels) => asArray(labels).join(',')),
    'context/labels-end-with-null': wrong('labels', (labels) => [...asArray(labels), null]),
    'context/labels-are-null-when-closed': wrong('labels', () => null, closed),
  }),
  ...breaking('context/messages', {
    'context/is-internal-is-text': wrong('messages[].isInternal', String),
    'context/created-at-is-a-number': wrong('messages[].createdAt', () => 1.7e12),
    'context/later-author-is-an-object': wrong('messages', (messages) =>
      each(messages, (message, index) => (index === 0 ? message : { ...message, author: { name: 'x' } })),
    ),
    'context/attachments-are-urls': wrong('messages[].attachments', () => ['https://files.example/1']),
    'context/transcription-id-is-a-number': wrong('messages[].attachments[].transcriptionId', () => 7),
    'context/messages-in-a-page': wrong('messages', (items) => ({ items })),
    'context/messages-are-null-when-closed': wrong('messages', () => null, closed),
    'context/raw-body-of-notes-is-an-object': wrong('messages[]', (message) =>
      asObject(message).isInternal ? { ...asObject(message), rawBody: { text: '' } } : message,
    ),
  }),
  ...breaking('context/participants', {
    'context/agents-are-objects': wrong('participants.agents[]', (name) => ({ name })),
    'context/clients-are-names': wrong('participants.clients', () => ['Dana']),
    'context/phone-number-is-a-number': wrong('participants.clients[].primaryPhoneNumber', () => 15125550101),
    'context/participants-are-a-list-when-closed': wrong('participants', () => [], closed),
  }),
  ...breaking('context/sites', {
    'context/sites-are-ids': wrong('sites[]', (site) => asObject(site).id ?? ''),
    'context/service-level-is-a-number': wrong('sites[].serviceLevel', () => 4),
    'context/legacy-site-id-is-a-number': wrong('sites[].id', (id) => (/^\d+$/.test(String(id)) ? Number(id) : id)),
    'context/associated-conversations-are-ids': wrong('sites[].associatedConversations', () => ['ACME-1']),
    'context/resolution-is-an-object': wrong('sites[].associatedConversations[].resolution', () => ({})),
  }),
  ...breaking('context/get-answers-context', {
    'context/is-the-record': readingUrl(/\/context$/, ''),
    'context/is-a-list': onReplyTo(anyContext, ({ reply }) => withJson(reply, [objectOf(reply)])),
    'context/in-an-envelope': onReplyTo(anyContext, ({ reply }) => withJson(reply, { data: objectOf(reply) })),
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
    'context/wants-a-body': failing(anyContext, 400, 'a body is required'),
    'context/unknown-to-its-owner-when-closed': failing(closed, 404),
    'context/always-500-when-closed': refusing({ id: 'getConversationContext', usable: true, record: 'closed' }, 500),
    'context/breaks-for-narrow-keys': refusing({ id: 'getConversationContext', scopes: 1 }, 500),
    'context/empty-200-when-closed': withText(closed, ''),
    'context/answered-with-410': withStatus(anyContext, 410),
    'context/unknown-is-200': withStatus(
      { id: 'getConversationContext', where: ({ refused }) => refused?.startsWith('unknown-') },
      200,
    ),
  }),
  ...breaking('context/without-the-record', {
    'context/holds-the-record': onReplyTo(anyContext, async (answered) =>
      withProperties(answered.reply, { conversation: await recordOf(answered) }),
    ),
    'context/merged-with-the-record-when-closed': onReplyTo(closed, async (answered) =>
      withProperties(answered.reply, await recordOf(answered)),
    ),
  }),
];
