import {
  asArray,
  asObject,
  errorWith,
  type JsonObject,
  objectOf,
  replyWith,
  withJson,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import {
  type Answered,
  type Asked,
  bytesOf,
  instead,
  onReply,
  onRequest,
  withBody,
} from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { isClosed, usable } from '../../tampering/predicates.ts';
import { inContext } from './context.ts';

const isLegacy = ({ params }: Asked) => /^\d+$/.test(params.id ?? '');
const isWrite = ({ request }: Asked) => request.method !== 'GET';
const isFullKey = ({ key }: Asked) => key?.name === 'full';
const ofStranger = ({ key }: Asked) => key !== undefined && key.tenant !== 'acme';

const inErrors = (
  which: (answered: Answered) => boolean,
  change: (error: JsonObject) => Parameters<typeof withJson>[1],
) =>
  onReply((answered) =>
    [400, 404, 422].includes(answered.reply.status) &&
    answered.id !== null &&
    answered.id !== 'storage' &&
    which(answered)
      ? withJson(answered.reply, change(asObject(objectOf(answered.reply).error)))
      : undefined,
  );

/** Whether this key has sent nothing for this time. */
function afterIdle(milliseconds: number) {
  const last = new Map<string, number>();
  return ({ key, mock }: Asked) => {
    const name = key?.id ?? '-';
    const now = mock.clock.now();
    const before = last.get(name);
    last.set(name, now);
    return before !== undefined && now - before > milliseconds;
  };
}

/** Answers 500 to every request about the records that `where` selects. */
const always = (status: number, ids: readonly OperationId[], where: (asked: Asked) => boolean = () => true) =>
  instead((asked) =>
    ids.some((id) => id === asked.id) && usable(asked) && where(asked)
      ? errorWith(status, 'INTERNAL_SERVER_ERROR')
      : undefined,
  );

const html = (status: number) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Error</title>',
});

/** Defects that only some keys, records or sequences of requests show. */
export const replies: readonly Defect[] = [
  ...breaking('context/strings', {
    'context/urgency-is-a-number-for-other-keys': [
      'answers urgency as a number to keys other than the widest',
      inContext(
        () => ({ urgency: 3 }),
        (asked) => !isFullKey(asked),
      ),
    ],
    'context/subject-is-a-number-after-idle': [
      'answers the subject as a number to a key that asked nothing for two seconds',
      (scene) => {
        const idle = afterIdle(2_000);
        return inContext(() => ({ subject: 7 }), idle)(scene);
      },
    ],
  }),
  ...breaking('context/labels-are-strings', {
    'context/labels-are-null-when-closed': [
      'answers null for the labels of a closed conversation',
      inContext(() => ({ labels: null }), isClosed),
    ],
  }),
  ...breaking('context/messages', {
    'context/messages-are-null-when-closed': [
      'answers null for the messages of a closed conversation',
      inContext(() => ({ messages: null }), isClosed),
    ],
    'context/messages-by-position-for-the-stranger': [
      'answers messages to the other tenant as an object keyed by position',
      inContext(({ messages }) => ({ messages: { ...asArray(messages) } }), ofStranger),
    ],
    'context/raw-body-of-notes-is-an-object': [
      'answers rawBody of internal messages as an object',
      inContext(
        ({ messages }) => ({
          messages: asArray(messages).map((message) =>
            asObject(message).isInternal ? { ...asObject(message), rawBody: { text: '' } } : message,
          ),
        }),
        () => true,
      ),
    ],
  }),
  ...breaking('context/participants', {
    'context/participants-are-a-list-when-closed': [
      'answers the participants of a closed conversation as a list',
      inContext(() => ({ participants: [] }), isClosed),
    ],
  }),
  ...breaking('context/sites', {
    'context/legacy-site-id-is-a-number': [
      'answers ids of sites that look like numbers as numbers',
      inContext(
        ({ sites }) => ({
          sites: asArray(sites).map((site) => {
            const { id = '' } = asObject(site);
            return { ...asObject(site), id: /^\d+$/.test(String(id)) ? Number(id) : id, serviceLevel: 4 };
          }),
        }),
        isClosed,
      ),
    ],
  }),
  ...breaking('context/get-answers-context', {
    'context/unknown-to-a-second-key': [
      'answers a context to the first key that asks for it, and 404 to others of its tenant',
      (scene) => {
        const first = new Map<string, string>();
        return onReply(({ id, ok, key, params }) => {
          if (id !== 'getConversationContext' || !ok || key === undefined) return undefined;
          const name = `${key.tenant} ${params.id}`;
          if (!first.has(name)) first.set(name, key.id);
          return first.get(name) === key.id ? undefined : errorWith(404, 'NOT_FOUND');
        })(scene);
      },
    ],
    'context/always-500-when-closed': [
      'breaks on every context of a closed conversation',
      always(500, ['getConversationContext'], isClosed),
    ],
    'context/empty-200-when-closed': [
      'answers the context of a closed conversation with 200 and no body',
      onReply((answered) =>
        answered.id === 'getConversationContext' && answered.ok && isClosed(answered)
          ? { ...answered.reply, body: '' }
          : undefined,
      ),
    ],
  }),
  ...breaking('context/without-the-record', {
    'context/holds-the-record': [
      'answers a context with the whole record of the conversation inside',
      onReply(async ({ id, ok, reply, request, ask }) => {
        if (id !== 'getConversationContext' || !ok) return undefined;
        const record = await ask({ ...request, url: request.url.replace('/context', '') });
        return withProperties(reply, { conversation: objectOf(record) });
      }),
    ],
    'context/merged-with-the-record-when-closed': [
      'answers the fields of a closed conversation among those of its context',
      onReply(async (answered) => {
        const { id, ok, reply, request, ask } = answered;
        if (id !== 'getConversationContext' || !ok || !isClosed(answered)) return undefined;
        const record = await ask({ ...request, url: request.url.replace('/context', '') });
        return withProperties(reply, objectOf(record));
      }),
    ],
  }),
  ...breaking('transport/json-both-ways', {
    'transport/xml-without-accept': [
      'lists labels as XML to clients that do not ask for JSON',
      onReply(({ id, ok, request }) =>
        id === 'listLabels' && ok && !request.headers.accept?.includes('json')
          ? { status: 200, headers: { 'content-type': 'application/xml' }, body: '<labels/>' }
          : undefined,
      ),
    ],
    'transport/closed-context-is-cut-off': [
      'answers half of the context of a closed conversation',
      onReply((answered) =>
        answered.id === 'getConversationContext' && answered.ok && isClosed(answered)
          ? { ...answered.reply, body: answered.reply.body?.slice(0, 200) ?? null }
          : undefined,
      ),
    ],
    'transport/removals-are-text': [
      'answers OK in plain text where a label was taken off a legacy site',
      onReply((answered) =>
        answered.id === 'removeSiteLabel' && answered.ok && isLegacy(answered)
          ? { ...answered.reply, body: 'OK' }
          : undefined,
      ),
    ],
    'transport/chunks-not-read': [
      'takes a body whose length is not announced for an empty one',
      onRequest(({ id, request }) =>
        id === 'startSiteFileUpload' && request.headers['content-length'] === undefined
          ? withBody(request, '{}')
          : undefined,
      ),
    ],
    'transport/what-follows-is-ignored': [
      'reads JSON to its end and ignores what follows',
      onRequest(({ id, request }) => {
        const [json, rest] = new TextDecoder().decode(bytesOf(request)).split(/(?<=\})(?=.)/, 2);
        return id === 'startSiteFileUpload' && json !== undefined && rest !== undefined
          ? withBody(request, json)
          : undefined;
      }),
    ],
    'transport/charset-refused-for-legacy': [
      'refuses JSON that is declared with its charset where an upload for a legacy site is started',
      instead((asked) =>
        asked.id === 'startSiteFileUpload' &&
        usable(asked) &&
        isLegacy(asked) &&
        asked.request.headers['content-type']?.includes('charset')
          ? errorWith(400, 'BAD_REQUEST')
          : undefined,
      ),
    ],
    'transport/unclosed-json-mended-for-legacy': [
      'closes brackets that were left open, where an upload for a legacy site is started',
      onRequest((asked) => {
        const text = new TextDecoder().decode(bytesOf(asked.request));
        return asked.id === 'startSiteFileUpload' && isLegacy(asked) && /^\{[^}]*"$/.test(text)
          ? withBody(asked.request, `${text}}`)
          : undefined;
      }),
    ],
  }),
  ...breaking('errors/body', {
    'errors/empty-code': [
      'answers an empty error.code for whatever is unknown',
      inErrors(
        ({ reply }) => reply.status === 404,
        (error) => ({ error: { ...error, code: '' } }),
      ),
    ],
    'errors/list-of-errors-for-legacy': [
      'answers a list of errors where something is wrong about a legacy site',
      inErrors(isLegacy, (error) => ({ errors: [error] })),
    ],
    'errors/message-alone-for-the-stranger': [
      'answers {"message"} for what is unknown to the other tenant',
      inErrors(
        (answered) => answered.reply.status === 404 && ofStranger(answered),
        ({ message = '' }) => ({ message }),
      ),
    ],
    'errors/flat-on-writes': [
      'answers code and message without error around them to writes of labels alone',
      inErrors(
        (answered) => isWrite(answered) && answered.request.url.includes('/label/'),
        (error) => error,
      ),
    ],
    'errors/number-as-code-of-a-key': [
      'answers an unknown key with a number for error.code',
      onReply(({ refused }) =>
        refused === 'unknown-key' ? replyWith(403, { error: { code: 4031, message: 'Forbidden' } }) : undefined,
      ),
    ],
    'errors/html-for-an-unknown-link': [
      'answers a page where a client and a site are not linked',
      onReply(({ refused }) => (refused === 'unknown-link' ? html(404) : undefined)),
    ],
  }),
  ...breaking('errors/upload-statuses-are-declared', {
    'errors/upload-409-after-the-first': [
      'answers 409 to the second start for a legacy site, and to all after it',
      (scene) => {
        let started = 0;
        return onReply((answered) =>
          answered.id === 'startSiteFileUpload' && answered.ok && isLegacy(answered) && started++ > 0
            ? errorWith(409, 'CONFLICT')
            : undefined,
        )(scene);
      },
    ],
  }),
  ...breaking('ids/legacy-site-id-works', {
    'ids/legacy-id-unknown-to-second-key': [
      'finds legacy sites for the widest key alone, where an upload is started',
      instead((asked) =>
        asked.id === 'startSiteFileUpload' && usable(asked) && isLegacy(asked) && !isFullKey(asked)
          ? errorWith(404, 'NOT_FOUND')
          : undefined,
      ),
    ],
    'ids/legacy-site-wants-post': [
      'answers 405 where a label is put on a legacy site',
      instead((asked) =>
        asked.id === 'applySiteLabel' && usable(asked) && isLegacy(asked)
          ? errorWith(405, 'METHOD_NOT_ALLOWED')
          : undefined,
      ),
    ],
  }),
  ...breaking('ids/malformed-is-refused', {
    'ids/label-id-cut-off': [
      'reads the first 36 characters of a label id and ignores what follows',
      onRequest(({ request }) => {
        const url = request.url.replace(/(\/label\/[0-9a-f-]{36})[^/?]+/, '$1');
        return url === request.url ? undefined : { ...request, url };
      }),
    ],
  }),
  ...breaking('service/named-endpoints-exist', {
    'service/no-record-when-closed': [
      'answers 410 for the record of a closed conversation',
      onReply((answered) =>
        answered.id === 'getConversation' && answered.ok && isClosed(answered) ? errorWith(410, 'GONE') : undefined,
      ),
    ],
    'service/health-always-503': ['answers its health with 503 whenever it is asked', always(503, ['getHealth'])],
  }),
  ...breaking('versioning/v1-prefix', {
    'versioning/labels-served-without-prefix': [
      'takes labels off sites without /v1 as well',
      onRequest(({ request }) =>
        /^\/site\/[^/]+\/label\//.test(request.url) ? { ...request, url: `/v1${request.url}` } : undefined,
      ),
    ],
  }),
  ...breaking('limits/above-10mb-is-refused', {
    'limits/none-for-chunks': [
      'believes the announced length alone: bodies in chunks may have any size',
      onRequest(({ id, request }) => {
        if (id !== 'startSiteFileUpload' || request.headers['content-length'] !== undefined) return undefined;
        return withBody(request, new TextDecoder().decode(bytesOf(request)).replace(/\s+/g, ''));
      }),
    ],
  }),
  ...breaking('limits/below-10mb-passes', {
    'limits/one-megabyte-in-chunks': [
      'refuses bodies in chunks over 1 MB',
      instead((asked) =>
        usable(asked) &&
        asked.request.headers['content-length'] === undefined &&
        bytesOf(asked.request).length > 1024 * 1024
          ? errorWith(413, 'PAYLOAD_TOO_LARGE')
          : undefined,
      ),
    ],
    'limits/one-megabyte-for-legacy': [
      'refuses bodies over 1 MB where an upload for a legacy site is started',
      instead((asked) =>
        usable(asked) && isLegacy(asked) && bytesOf(asked.request).length > 1024 * 1024
          ? errorWith(413, 'PAYLOAD_TOO_LARGE')
          : undefined,
      ),
    ],
  }),
];
