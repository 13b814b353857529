import {
  asArray,
  asObject,
  errorWith,
  type Json,
  type JsonObject,
  objectOf,
  withJson,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, onReply, onRequest } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { isClosed } from '../../tampering/predicates.ts';

/** Changes the contexts of all conversations, or of those that the predicate selects. */
export const inContext = (
  change: (context: JsonObject) => { readonly [name: string]: Json | undefined },
  where: (answered: Answered) => boolean = () => true,
) =>
  onReply((answered) => {
    const { id, ok, reply } = answered;
    if (id !== 'getConversationContext' || !ok || !where(answered)) return undefined;
    return withProperties(reply, change(objectOf(reply)));
  });

const each = (list: Json | undefined, change: (item: JsonObject, index: number) => Json): Json =>
  asArray(list).map((item, index) => change(asObject(item), index));

const inMessages = (change: (message: JsonObject, index: number) => Json) =>
  inContext(({ messages }) => ({ messages: each(messages, change) }));

const inSites = (change: (site: JsonObject) => Json) => inContext(({ sites }) => ({ sites: each(sites, change) }));

const inParticipants = (change: (participants: JsonObject) => Json) =>
  inContext(({ participants }) => ({ participants: change(asObject(participants)) }));

export const context: readonly Defect[] = [
  ...breaking('context/strings', {
    'context/urgency-is-a-number': ['answers urgency as a number', inContext(() => ({ urgency: 3 }))],
    'context/status-is-an-object': [
      'answers status as an object with a code and a text',
      inContext(({ status = '' }) => ({ status: { code: 1, text: status } })),
    ],
    'context/requester-is-an-object': [
      'answers requester as a client summary',
      inContext(({ requester = '' }) => ({ requester: { name: requester } })),
    ],
    'context/type-is-a-list': [
      'answers type as a list of one string',
      inContext(({ type = '' }) => ({ type: [type] })),
    ],
    'context/subject-is-a-boolean-when-closed': [
      'answers false for the subject of a closed conversation',
      inContext(() => ({ subject: false }), isClosed),
    ],
  }),
  ...breaking('context/labels-are-strings', {
    'context/labels-are-records': [
      'answers labels in a context as records',
      inContext(({ labels }) => ({ labels: asArray(labels).map((name) => ({ name })) })),
    ],
    'context/labels-are-one-string': [
      'answers labels in a context as one string, with commas',
      inContext(({ labels }) => ({ labels: asArray(labels).join(',') })),
    ],
    'context/labels-end-with-null': [
      'answers null in the place of a private label',
      inContext(({ labels }) => ({ labels: [...asArray(labels), null] })),
    ],
  }),
  ...breaking('context/messages', {
    'context/is-internal-is-text': [
      'answers isInternal as "true" or "false"',
      inMessages((message) => ({ ...message, isInternal: String(message.isInternal) })),
    ],
    'context/created-at-is-a-number': [
      'answers createdAt of messages as milliseconds',
      inMessages((message) => ({ ...message, createdAt: 1_700_000_000_000 })),
    ],
    'context/later-author-is-an-object': [
      'answers the author of every message but the first as an object',
      inMessages((message, index) => (index === 0 ? message : { ...message, author: { name: 'x' } })),
    ],
    'context/attachments-are-urls': [
      'answers attachments as a list of addresses',
      inMessages((message) => ({ ...message, attachments: ['https://files.example/1'] })),
    ],
    'context/transcription-id-is-a-number': [
      'answers transcriptionId of attachments as a number',
      inMessages((message) => ({
        ...message,
        attachments: each(message.attachments, (attachment) => ({ ...attachment, transcriptionId: 7 })),
      })),
    ],
    'context/messages-in-a-page': [
      'answers messages as a page with items',
      inContext(({ messages = [] }) => ({ messages: { items: messages } })),
    ],
  }),
  ...breaking('context/participants', {
    'context/agents-are-objects': [
      'answers agents as objects',
      inParticipants((participants) => ({
        ...participants,
        agents: asArray(participants.agents).map((name) => ({ name })),
      })),
    ],
    'context/clients-are-names': [
      'answers clients as names',
      inParticipants((participants) => ({ ...participants, clients: ['Dana'] })),
    ],
    'context/phone-number-is-a-number': [
      'answers primaryPhoneNumber of clients as a number',
      inParticipants((participants) => ({
        ...participants,
        clients: each(participants.clients, (client) => ({ ...client, primaryPhoneNumber: 15125550101 })),
      })),
    ],
    'context/participants-are-a-list': [
      'answers participants as one list of agents and clients',
      inParticipants(({ agents, clients }) => [...asArray(agents), ...asArray(clients)]),
    ],
  }),
  ...breaking('context/sites', {
    'context/sites-are-ids': ['answers sites as ids', inSites(({ id = '' }) => id)],
    'context/service-level-is-a-number': [
      'answers serviceLevel of sites as a number',
      inSites((site) => ({ ...site, serviceLevel: 4 })),
    ],
    'context/associated-conversations-are-ids': [
      'answers associatedConversations as friendly ids',
      inSites((site) => ({ ...site, associatedConversations: ['ACME-1001'] })),
    ],
    'context/resolution-is-an-object': [
      'answers the resolution of associated conversations as an object',
      inSites((site) => ({
        ...site,
        associatedConversations: each(site.associatedConversations, (other) => ({ ...other, resolution: {} })),
      })),
    ],
  }),
  ...breaking('context/get-answers-context', {
    'context/of-an-unnamed-conversation-at-times': [
      'answers every twelfth context with the subject and messages of another conversation of the tenant',
      (scene) => {
        let turn = 0;
        return inContext(
          ({ messages }) => ({
            subject: 'The lift stands still',
            messages: asArray(messages)
              .slice(0, 1)
              .map((message) => ({ ...asObject(message), text: 'It stands still.', rawBody: 'It stands still.' })),
          }),
          () => turn++ % 12 === 11,
        )(scene);
      },
    ],
    'context/is-the-record': [
      'answers the record of the conversation in place of its context',
      onRequest(({ id, request }) =>
        id === 'getConversationContext' ? { ...request, url: request.url.replace('/context', '') } : undefined,
      ),
    ],
    'context/in-an-envelope': [
      'answers the context inside data',
      onReply(({ id, ok, reply }) =>
        id === 'getConversationContext' && ok ? withJson(reply, { data: objectOf(reply) }) : undefined,
      ),
    ],
    'context/mixed-with-the-one-before': [
      'adds a message of the conversation that the tenant has read before, where that is another one',
      (scene) => {
        const read = new Map<
          string | undefined,
          { readonly id: string | undefined; readonly messages: readonly Json[] }
        >();
        return onReply(({ id, ok, key, params, reply }) => {
          if (id !== 'getConversationContext' || !ok) return undefined;
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
      onReply((answered) => {
        if (answered.id !== 'getConversationContext' || !answered.ok) return undefined;
        return withJson(answered.reply, isClosed(answered) ? {} : { data: objectOf(answered.reply) });
      }),
    ],
    'context/is-a-list': [
      'answers a list with the context in it',
      onReply(({ id, ok, reply }) =>
        id === 'getConversationContext' && ok ? withJson(reply, [objectOf(reply)]) : undefined,
      ),
    ],
    'context/wants-a-body': [
      'refuses to answer a context without a request body',
      onReply(({ id, ok }) =>
        id === 'getConversationContext' && ok ? errorWith(400, 'BAD_REQUEST', 'a body is required') : undefined,
      ),
    ],
    'context/unknown-to-its-owner-when-closed': [
      'has no context for a closed conversation',
      onReply((answered) =>
        answered.id === 'getConversationContext' && answered.ok && isClosed(answered)
          ? errorWith(404, 'NOT_FOUND')
          : undefined,
      ),
    ],
  }),
];
