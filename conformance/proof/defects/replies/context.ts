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
import type { Defect } from '../../tampering/defect.ts';

/** Changes the contexts of all conversations, or of those that the predicate selects. */
const inContext = (
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

const isClosed = ({ params }: Answered) => params.id?.startsWith('c0000002') ?? false;

export const context: readonly Defect[] = [
  {
    id: 'context/urgency-is-a-number',
    breaks: 'context/strings',
    does: 'answers urgency as a number',
    around: inContext(() => ({ urgency: 3 })),
  },
  {
    id: 'context/status-is-an-object',
    breaks: 'context/strings',
    does: 'answers status as an object with a code and a text',
    around: inContext(({ status = '' }) => ({ status: { code: 1, text: status } })),
  },
  {
    id: 'context/requester-is-an-object',
    breaks: 'context/strings',
    does: 'answers requester as a client summary',
    around: inContext(({ requester = '' }) => ({ requester: { name: requester } })),
  },
  {
    id: 'context/type-is-a-list',
    breaks: 'context/strings',
    does: 'answers type as a list of one string',
    around: inContext(({ type = '' }) => ({ type: [type] })),
  },
  {
    id: 'context/subject-is-a-boolean-when-closed',
    breaks: 'context/strings',
    does: 'answers false for the subject of a closed conversation',
    around: inContext(() => ({ subject: false }), isClosed),
  },
  {
    id: 'context/labels-are-records',
    breaks: 'context/labels-are-strings',
    does: 'answers labels in a context as records',
    around: inContext(({ labels }) => ({ labels: asArray(labels).map((name) => ({ name })) })),
  },
  {
    id: 'context/labels-are-one-string',
    breaks: 'context/labels-are-strings',
    does: 'answers labels in a context as one string, with commas',
    around: inContext(({ labels }) => ({ labels: asArray(labels).join(',') })),
  },
  {
    id: 'context/labels-end-with-null',
    breaks: 'context/labels-are-strings',
    does: 'answers null in the place of a private label',
    around: inContext(({ labels }) => ({ labels: [...asArray(labels), null] })),
  },
  {
    id: 'context/is-internal-is-text',
    breaks: 'context/messages',
    does: 'answers isInternal as "true" or "false"',
    around: inMessages((message) => ({ ...message, isInternal: String(message.isInternal) })),
  },
  {
    id: 'context/created-at-is-a-number',
    breaks: 'context/messages',
    does: 'answers createdAt of messages as milliseconds',
    around: inMessages((message) => ({ ...message, createdAt: 1_700_000_000_000 })),
  },
  {
    id: 'context/later-author-is-an-object',
    breaks: 'context/messages',
    does: 'answers the author of every message but the first as an object',
    around: inMessages((message, index) => (index === 0 ? message : { ...message, author: { name: 'x' } })),
  },
  {
    id: 'context/attachments-are-urls',
    breaks: 'context/messages',
    does: 'answers attachments as a list of addresses',
    around: inMessages((message) => ({ ...message, attachments: ['https://files.example/1'] })),
  },
  {
    id: 'context/transcription-id-is-a-number',
    breaks: 'context/messages',
    does: 'answers transcriptionId of attachments as a number',
    around: inMessages((message) => ({
      ...message,
      attachments: each(message.attachments, (attachment) => ({ ...attachment, transcriptionId: 7 })),
    })),
  },
  {
    id: 'context/messages-in-a-page',
    breaks: 'context/messages',
    does: 'answers messages as a page with items',
    around: inContext(({ messages = [] }) => ({ messages: { items: messages } })),
  },
  {
    id: 'context/agents-are-objects',
    breaks: 'context/participants',
    does: 'answers agents as objects',
    around: inParticipants((participants) => ({
      ...participants,
      agents: asArray(participants.agents).map((name) => ({ name })),
    })),
  },
  {
    id: 'context/clients-are-names',
    breaks: 'context/participants',
    does: 'answers clients as names',
    around: inParticipants((participants) => ({ ...participants, clients: ['Dana'] })),
  },
  {
    id: 'context/phone-number-is-a-number',
    breaks: 'context/participants',
    does: 'answers primaryPhoneNumber of clients as a number',
    around: inParticipants((participants) => ({
      ...participants,
      clients: each(participants.clients, (client) => ({ ...client, primaryPhoneNumber: 15125550101 })),
    })),
  },
  {
    id: 'context/participants-are-a-list',
    breaks: 'context/participants',
    does: 'answers participants as one list of agents and clients',
    around: inParticipants(({ agents, clients }) => [...asArray(agents), ...asArray(clients)]),
  },
  {
    id: 'context/sites-are-ids',
    breaks: 'context/sites',
    does: 'answers sites as ids',
    around: inSites(({ id = '' }) => id),
  },
  {
    id: 'context/service-level-is-a-number',
    breaks: 'context/sites',
    does: 'answers serviceLevel of sites as a number',
    around: inSites((site) => ({ ...site, serviceLevel: 4 })),
  },
  {
    id: 'context/associated-conversations-are-ids',
    breaks: 'context/sites',
    does: 'answers associatedConversations as friendly ids',
    around: inSites((site) => ({ ...site, associatedConversations: ['ACME-1001'] })),
  },
  {
    id: 'context/resolution-is-an-object',
    breaks: 'context/sites',
    does: 'answers the resolution of associated conversations as an object',
    around: inSites((site) => ({
      ...site,
      associatedConversations: each(site.associatedConversations, (other) => ({ ...other, resolution: {} })),
    })),
  },
  {
    id: 'context/is-the-record',
    breaks: 'context/get-answers-context',
    does: 'answers the record of the conversation in place of its context',
    around: onRequest(({ id, request }) =>
      id === 'getConversationContext' ? { ...request, url: request.url.replace('/context', '') } : undefined,
    ),
  },
  {
    id: 'context/in-an-envelope',
    breaks: 'context/get-answers-context',
    does: 'answers the context inside data',
    around: onReply(({ id, ok, reply }) =>
      id === 'getConversationContext' && ok ? withJson(reply, { data: objectOf(reply) }) : undefined,
    ),
  },
  {
    id: 'context/enveloped-or-empty',
    breaks: 'context/get-answers-context',
    does: 'answers the context of an open conversation inside data, and that of a closed one as an empty object',
    around: onReply((answered) => {
      if (answered.id !== 'getConversationContext' || !answered.ok) return undefined;
      return withJson(answered.reply, isClosed(answered) ? {} : { data: objectOf(answered.reply) });
    }),
  },
  {
    id: 'context/is-a-list',
    breaks: 'context/get-answers-context',
    does: 'answers a list with the context in it',
    around: onReply(({ id, ok, reply }) =>
      id === 'getConversationContext' && ok ? withJson(reply, [objectOf(reply)]) : undefined,
    ),
  },
  {
    id: 'context/wants-a-body',
    breaks: 'context/get-answers-context',
    does: 'refuses to answer a context without a request body',
    around: onReply(({ id, ok }) =>
      id === 'getConversationContext' && ok ? errorWith(400, 'BAD_REQUEST', 'a body is required') : undefined,
    ),
  },
  {
    id: 'context/unknown-to-its-owner-when-closed',
    breaks: 'context/get-answers-context',
    does: 'has no context for a closed conversation',
    around: onReply((answered) =>
      answered.id === 'getConversationContext' && answered.ok && isClosed(answered)
        ? errorWith(404, 'NOT_FOUND')
        : undefined,
    ),
  },
];
