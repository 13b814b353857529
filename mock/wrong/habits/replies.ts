import { type LegalVariant, legal } from '../tampering/defect.ts';
import { asObject, each, type Json, type JsonObject, jsonOf, objectOf, withJson } from '../tampering/json-value.ts';
import { onRequest } from '../tampering/tamper.ts';
import {
  anyError,
  chain,
  inReply,
  onReplyTo,
  type When,
  withHeaders,
  withStatus,
  withText,
} from '../tampering/when.ts';

const isJson = (headers: Readonly<Record<string, string>>) => headers['content-type']?.includes('json') ?? false;

/** The value with all texts and objects in it changed. */
const mapped = (value: Json, text: (text: string) => Json, object: (object: JsonObject) => Json): Json => {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapped(item, text, object));
  if (value === null || typeof value !== 'object') return value;
  return object(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, text, object)])));
};

const same = <T>(value: T): T => value;
const turnedRound = (value: JsonObject): Json => Object.fromEntries(Object.entries(value).reverse());
const extras = { revision: 7, tags: ['a', 'b'], meta: { etag: null, links: [] } };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const anyUuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

const context: When = { id: 'getConversationContext', ok: true };
const labelReplies = [
  'applyConversationLabel',
  'removeConversationLabel',
  'applyClientSiteLabel',
  'removeClientSiteLabel',
] as const;

/** Deployments with other replies. */
export const replies: readonly LegalVariant[] = legal({
  'properties-in-another-order': (scene) => {
    let replies = 0;
    return onReplyTo({ ok: true, where: ({ id }) => id !== 'storage' }, ({ reply }) =>
      reply.body === null || replies++ % 2 === 0
        ? undefined
        : withJson(reply, mapped(jsonOf(reply.body), same, turnedRound)),
    )(scene);
  },
  'extra-fields': [
    'adds fields to every object of every reply but the throttled one',
    onReplyTo(
      { where: ({ id, reply }) => id !== 'storage' && reply.status !== 429 && isJson(reply.headers) },
      ({ reply }) =>
        withJson(
          reply,
          mapped(jsonOf(reply.body), same, (object) => ({ ...object, ...extras })),
        ),
    ),
  ],
  sparse: [
    'leaves out whatever is not said to be required: most of a context, names of labels, details of records',
    chain(
      onReplyTo(context, ({ reply }) => {
        const { labels = [], subject = '', sites } = objectOf(reply);
        return withJson(reply, { subject, labels, participants: {}, sites: each(sites, ({ id = '' }) => ({ id })) });
      }),
      onReplyTo({ id: 'getConversation', ok: true }, ({ reply }) => withJson(reply, { id: objectOf(reply).id ?? '' })),
      withText({ id: ['registerSiteFile', 'getHealth'], ok: true }, '{}'),
    ),
  ],
  nulls: [
    'answers null for texts of a context that have no value, in place of leaving them out',
    inReply(context, ({ messages }) => ({
      requester: null,
      urgency: null,
      messages: each(messages, (message) => ({ ...message, rawBody: null })),
    })),
  ],
  'upper-case-uuids': [
    'writes UUIDs in upper case, and takes them in either',
    chain(
      onReplyTo(
        { where: ({ id, reply }) => id !== 'storage' && id !== 'startSiteFileUpload' && isJson(reply.headers) },
        ({ reply }) =>
          withJson(
            reply,
            mapped(jsonOf(reply.body), (text) => (uuid.test(text) ? text.toUpperCase() : text), same),
          ),
      ),
      onRequest(({ request }) =>
        request.url.startsWith('/v1/')
          ? { ...request, url: request.url.replace(anyUuid, (found) => found.toLowerCase()) }
          : undefined,
      ),
    ),
  ],
  'no-charset': [
    'declares JSON without a charset, and errors as application/problem+json',
    chain(
      withHeaders({ where: ({ id }) => id !== 'storage' }, { 'content-type': 'application/json' }),
      withHeaders(
        { where: ({ id, reply }) => id !== 'storage' && reply.status >= 400 },
        { 'content-type': 'application/problem+json' },
      ),
    ),
  ],
  enveloped: [
    'puts the replies that the specification does not show into an envelope with data and meta',
    onReplyTo(
      { ok: true, id: ['getHealth', 'getConversation', 'getSite', 'getClient', 'listLabels', ...labelReplies] },
      ({ reply }) => withJson(reply, { data: jsonOf(reply.body), meta: { count: 1 } }),
    ),
  ],
  'created-then-ok': [
    'answers 201 where a label was put on, and 200 elsewhere; 202 for a registered file',
    chain(
      withStatus({ id: 'registerSiteFile', ok: true }, 202),
      withStatus({ id: ['applyConversationLabel', 'applySiteLabel', 'applyClientSiteLabel'], ok: true }, 201),
    ),
  ],
  'talkative-errors': [
    'adds details to errors, has codes of its own, and repeats what was asked for',
    onReplyTo(anyError, ({ request, reply }) => {
      const { message = '' } = asObject(objectOf(reply).error);
      return withJson(reply, {
        error: { code: `E${reply.status}`, message, details: [{ path: decodeURIComponent(request.url) }] },
        requestId: '0d0a7b42-0c3f-4f58-8e6a-7d2c5b9a1f04',
        timestamp: 1_700_000_000,
      });
    }),
  ],
});
