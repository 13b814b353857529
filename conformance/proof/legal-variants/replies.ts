import { hash } from 'node:crypto';
import {
  asArray,
  asObject,
  type Json,
  type JsonObject,
  jsonOf,
  objectOf,
  withJson,
  withProperties,
} from '../../../mock/proof/tampering/json-value.ts';
import { onRequest } from '../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { seededRandom } from '../../../spec/random.ts';
import {
  anyError,
  chain,
  inReply,
  onReplyTo,
  refusing,
  withEtags,
  withHeaders,
  withStatus,
  withText,
} from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

const reads: readonly OperationId[] = ['getHealth', 'getConversation', 'getSite', 'getClient'];

const isJson = (headers: Readonly<Record<string, string>>) => headers['content-type']?.includes('json') ?? false;

const receipt = 'We have got your message. Somebody will answer you within one working day.';

/** The same value with the properties of all objects the other way round. */
const turnedRound = (value: Json): Json =>
  Array.isArray(value)
    ? value.map(turnedRound)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, one]): [string, Json] => [name, turnedRound(one)])
            .reverse(),
        )
      : value;

/** The value with every string in it changed. */
const mapStrings = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapStrings(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, change)]));
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const anyUuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The value with a property added to every object. */
const withExtras = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withExtras);
  if (value === null || typeof value !== 'object') return value;
  const inner = Object.entries(value).map(([name, item]) => [name, withExtras(item)]);
  return { ...Object.fromEntries(inner), revision: 7, tags: ['a', 'b'], meta: { etag: null, links: [] } };
};

/** Deployments with other replies. */
export const replies: readonly LegalVariant[] = [
  {
    id: 'keys-in-another-order',
    does: 'turns the order of the properties round in every second reply, and has a message of the same words for both tenants',
    around: (scene) => {
      let replies = 0;
      return onReplyTo({ ok: true }, ({ id, reply, key }) => {
        if (reply.body === null || id === 'storage') return undefined;
        const message = { author: `Desk of ${key?.tenant}`, role: 'agent', createdAt: 'yesterday', text: receipt };
        const isOpen = id === 'getConversationContext' && objectOf(reply).status === 'open';
        const messages = isOpen ? [...asArray(objectOf(reply).messages), message] : undefined;
        const told = messages ? withProperties(reply, { messages }) : reply;
        return replies++ % 2 === 0 ? told : withJson(told, turnedRound(objectOf(told)));
      })(scene);
    },
  },
  {
    id: 'etags',
    does: 'gives every read an ETag of its body, and answers 304 to it',
    around: withEtags({ method: 'GET', ok: true }, ({ reply }) => hash('md5', String(reply.body))),
  },
  {
    id: 'extra-fields',
    does: 'adds fields to every object of every reply but the throttled one',
    around: onReplyTo(
      { where: ({ id, reply }) => id !== 'storage' && reply.status !== 429 && isJson(reply.headers) },
      ({ reply }) => withJson(reply, withExtras(jsonOf(reply.body))),
    ),
  },
  {
    id: 'sparse',
    does: 'leaves out whatever is not said to be required: most of a context, names of labels, details of records',
    around: chain(
      onReplyTo({ id: 'getConversationContext', ok: true }, ({ reply }) =>
        withJson(reply, sparseContext(objectOf(reply))),
      ),
      onReplyTo({ id: 'getConversation', ok: true }, ({ reply }) => withJson(reply, { id: objectOf(reply).id ?? '' })),
      withText({ id: ['registerSiteFile', 'getHealth'], ok: true }, '{}'),
    ),
  },
  {
    id: 'lists-left-out-at-times',
    does: 'has a client who takes part in every conversation, and leaves out participants and sites in a third of the contexts',
    around: (scene) => {
      const random = seededRandom(7);
      return inReply({ id: 'getConversationContext', ok: true }, ({ participants, sites }) => ({
        participants: random() < 1 / 3 ? undefined : { ...asObject(participants), clients: [inEvery] },
        sites: random() < 1 / 3 ? undefined : sites,
      }))(scene);
    },
  },
  {
    id: 'bare-context',
    does: 'answers a context with labels and messages alone, and messages with a text alone',
    around: onReplyTo({ id: 'getConversationContext', ok: true }, ({ reply }) => {
      const { labels = [], messages } = objectOf(reply);
      return withJson(reply, {
        labels,
        messages: asArray(messages).map((message) => ({ text: asObject(message).text ?? '' })),
      });
    }),
  },
  {
    id: 'nulls',
    // An empty list must stay a list.
    does: 'answers null for texts of a context that have no value, in place of leaving them out',
    around: inReply({ id: 'getConversationContext', ok: true }, ({ messages }) => ({
      requester: null,
      urgency: null,
      messages: asArray(messages).map((message) => ({ ...asObject(message), rawBody: null })),
    })),
  },
  {
    id: 'upper-case-uuids',
    does: 'writes UUIDs in upper case, and takes them in either',
    around: chain(
      onReplyTo(
        { where: ({ id, reply }) => id !== 'storage' && id !== 'startSiteFileUpload' && isJson(reply.headers) },
        ({ reply }) =>
          withJson(
            reply,
            mapStrings(jsonOf(reply.body), (text) => (uuid.test(text) ? text.toUpperCase() : text)),
          ),
      ),
      onRequest(({ request }) =>
        request.url.startsWith('/v1/')
          ? { ...request, url: request.url.replace(anyUuid, (found) => found.toLowerCase()) }
          : undefined,
      ),
    ),
  },
  {
    id: 'no-charset',
    does: 'declares JSON without a charset, and errors as application/problem+json',
    around: chain(
      withHeaders({ where: ({ id }) => id !== 'storage' }, { 'content-type': 'application/json' }),
      withHeaders(
        { where: ({ id, reply }) => id !== 'storage' && reply.status >= 400 },
        { 'content-type': 'application/problem+json' },
      ),
    ),
  },
  {
    id: 'enveloped',
    does: 'puts the replies that the specification does not show into an envelope with data and meta',
    around: onReplyTo(
      { ok: true, where: ({ id }) => reads.some((one) => one === id) || isLabelReply(id) || id === 'listLabels' },
      ({ reply }) => withJson(reply, { data: jsonOf(reply.body), meta: { count: 1 } }),
    ),
  },
  {
    id: 'nested-labels',
    does: 'answers labels of a conversation as memberships with the label inside, and lists labels by id',
    around: onReplyTo({ ok: true }, ({ id, reply }) => {
      const labels = asArray(objectOf(reply).labels).map(asObject);
      if (id === 'listLabels') return withJson(reply, { byId: Object.fromEntries(labels.map(keyed)) });
      if (!isLabelReply(id)) return undefined;
      return withJson(reply, { memberships: labels.map((label) => ({ since: '2026-01-01', label })) });
    }),
  },
  {
    id: 'created-then-ok',
    does: 'answers 201 where a label was put on, and 200 elsewhere; 202 for a registered file',
    around: chain(
      withStatus({ id: 'registerSiteFile', ok: true }, 202),
      withStatus({ id: ['applyConversationLabel', 'applySiteLabel', 'applyClientSiteLabel'], ok: true }, 201),
    ),
  },
  {
    id: 'talkative-errors',
    does: 'adds details to errors, has codes of its own, and repeats what was asked for',
    around: onReplyTo(anyError, ({ request, reply }) => {
      const { message = '' } = asObject(objectOf(reply).error);
      return withJson(reply, {
        error: { code: `E${reply.status}`, message, details: [{ path: decodeURIComponent(request.url) }] },
        requestId: '0d0a7b42-0c3f-4f58-8e6a-7d2c5b9a1f04',
        timestamp: 1_700_000_000,
      });
    }),
  },
  {
    id: 'sites-need-a-scope-that-no-key-has',
    does: 'answers 403 to everybody who reads a site, whose scope the specification does not name',
    around: refusing({ id: 'getSite', where: ({ key }) => key !== undefined }, 403),
  },
  {
    id: 'errors-all-alike',
    does: 'refuses everything in the same words, unknown records and unknown paths alike',
    around: onReplyTo(anyError, ({ reply }) =>
      withJson(reply, { error: { code: reply.status === 404 ? 'NOT_FOUND' : 'ERROR', message: 'Request failed.' } }),
    ),
  },
];

const inEvery = { name: 'Erika Muster', primaryPhoneNumber: '+1 555 0199', primaryEmail: 'erika@muster.test' };

const keyed = (label: JsonObject): [string, Json] => [String(label.id), label];

const isLabelReply = (id: string | null) =>
  ['applyConversationLabel', 'removeConversationLabel', 'applyClientSiteLabel', 'removeClientSiteLabel'].includes(
    id ?? '',
  );

const sparseContext = ({ labels = [], subject = '', sites }: JsonObject): Json => ({
  subject,
  labels,
  participants: {},
  sites: asArray(sites).map((site) => ({ id: asObject(site).id ?? '' })),
});
