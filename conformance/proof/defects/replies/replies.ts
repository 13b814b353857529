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
import type { Defect } from '../../tampering/defect.ts';

const isClosed = ({ params }: Asked) => params.id?.startsWith('c0000002') ?? false;
const isLegacy = ({ params }: Asked) => /^\d+$/.test(params.id ?? '');
const isWrite = ({ request }: Asked) => request.method !== 'GET';
const isFullKey = ({ key }: Asked) => key?.name === 'full';
const ofStranger = ({ key }: Asked) => key !== undefined && key.tenant !== 'acme';
const usable = ({ key }: Asked) => key !== undefined && !key.revoked;

const inContext = (change: (context: JsonObject) => JsonObject, where: (answered: Answered) => boolean) =>
  onReply((answered) => {
    const { id, ok, reply } = answered;
    return id === 'getConversationContext' && ok && where(answered)
      ? withProperties(reply, change(objectOf(reply)))
      : undefined;
  });

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
  {
    id: 'context/urgency-is-a-number-for-other-keys',
    breaks: 'context/strings',
    does: 'answers urgency as a number to keys other than the widest',
    around: inContext(
      () => ({ urgency: 3 }),
      (asked) => !isFullKey(asked),
    ),
  },
  {
    id: 'context/subject-is-a-number-after-idle',
    breaks: 'context/strings',
    does: 'answers the subject as a number to a key that asked nothing for two seconds',
    around: (scene) => {
      const idle = afterIdle(2_000);
      return inContext(() => ({ subject: 7 }), idle)(scene);
    },
  },
  {
    id: 'context/labels-are-null-when-closed',
    breaks: 'context/labels-are-strings',
    does: 'answers null for the labels of a closed conversation',
    around: inContext(() => ({ labels: null }), isClosed),
  },
  {
    id: 'context/messages-are-null-when-closed',
    breaks: 'context/messages',
    does: 'answers null for the messages of a closed conversation',
    around: inContext(() => ({ messages: null }), isClosed),
  },
  {
    id: 'context/messages-by-position-for-the-stranger',
    breaks: 'context/messages',
    does: 'answers messages to the other tenant as an object keyed by position',
    around: inContext(({ messages }) => ({ messages: { ...asArray(messages) } }), ofStranger),
  },
  {
    id: 'context/raw-body-of-notes-is-an-object',
    breaks: 'context/messages',
    does: 'answers rawBody of internal messages as an object',
    around: inContext(
      ({ messages }) => ({
        messages: asArray(messages).map((message) =>
          asObject(message).isInternal ? { ...asObject(message), rawBody: { text: '' } } : message,
        ),
      }),
      () => true,
    ),
  },
  {
    id: 'context/participants-are-a-list-when-closed',
    breaks: 'context/participants',
    does: 'answers the participants of a closed conversation as a list',
    around: inContext(() => ({ participants: [] }), isClosed),
  },
  {
    id: 'context/legacy-site-id-is-a-number',
    breaks: 'context/sites',
    does: 'answers ids of sites that look like numbers as numbers',
    around: inContext(
      ({ sites }) => ({
        sites: asArray(sites).map((site) => {
          const { id = '' } = asObject(site);
          return { ...asObject(site), id: /^\d+$/.test(String(id)) ? Number(id) : id, serviceLevel: 4 };
        }),
      }),
      isClosed,
    ),
  },
  {
    id: 'context/unknown-to-a-second-key',
    breaks: 'context/get-answers-context',
    does: 'answers a context to the first key that asks for it, and 404 to others of its tenant',
    around: (scene) => {
      const first = new Map<string, string>();
      return onReply(({ id, ok, key, params }) => {
        if (id !== 'getConversationContext' || !ok || key === undefined) return undefined;
        const name = `${key.tenant} ${params.id}`;
        if (!first.has(name)) first.set(name, key.id);
        return first.get(name) === key.id ? undefined : errorWith(404, 'NOT_FOUND');
      })(scene);
    },
  },
  {
    id: 'context/always-500-when-closed',
    breaks: 'context/get-answers-context',
    does: 'breaks on every context of a closed conversation',
    around: always(500, ['getConversationContext'], isClosed),
  },
  {
    id: 'context/empty-200-when-closed',
    breaks: 'context/get-answers-context',
    does: 'answers the context of a closed conversation with 200 and no body',
    around: onReply((answered) =>
      answered.id === 'getConversationContext' && answered.ok && isClosed(answered)
        ? { ...answered.reply, body: '' }
        : undefined,
    ),
  },
  {
    id: 'context/holds-the-record',
    breaks: 'context/without-the-record',
    does: 'answers a context with the whole record of the conversation inside',
    around: onReply(async ({ id, ok, reply, request, ask }) => {
      if (id !== 'getConversationContext' || !ok) return undefined;
      const record = await ask({ ...request, url: request.url.replace('/context', '') });
      return withProperties(reply, { conversation: objectOf(record) });
    }),
  },
  {
    id: 'context/merged-with-the-record-when-closed',
    breaks: 'context/without-the-record',
    does: 'answers the fields of a closed conversation among those of its context',
    around: onReply(async (answered) => {
      const { id, ok, reply, request, ask } = answered;
      if (id !== 'getConversationContext' || !ok || !isClosed(answered)) return undefined;
      const record = await ask({ ...request, url: request.url.replace('/context', '') });
      return withProperties(reply, objectOf(record));
    }),
  },
  {
    id: 'transport/closed-context-is-cut-off',
    breaks: 'transport/json-both-ways',
    does: 'answers half of the context of a closed conversation',
    around: onReply((answered) =>
      answered.id === 'getConversationContext' && answered.ok && isClosed(answered)
        ? { ...answered.reply, body: answered.reply.body?.slice(0, 200) ?? null }
        : undefined,
    ),
  },
  {
    id: 'transport/removals-are-text',
    breaks: 'transport/json-both-ways',
    does: 'answers OK in plain text where a label was taken off a legacy site',
    around: onReply((answered) =>
      answered.id === 'removeSiteLabel' && answered.ok && isLegacy(answered)
        ? { ...answered.reply, body: 'OK' }
        : undefined,
    ),
  },
  {
    id: 'transport/chunks-not-read',
    breaks: 'transport/json-both-ways',
    does: 'takes a body whose length is not announced for an empty one',
    around: onRequest(({ id, request }) =>
      id === 'startSiteFileUpload' && request.headers['content-length'] === undefined
        ? withBody(request, '{}')
        : undefined,
    ),
  },
  {
    id: 'transport/what-follows-is-ignored',
    breaks: 'transport/json-both-ways',
    does: 'reads JSON to its end and ignores what follows',
    around: onRequest(({ id, request }) => {
      const [json, rest] = new TextDecoder().decode(bytesOf(request)).split(/(?<=\})(?=.)/, 2);
      return id === 'startSiteFileUpload' && json !== undefined && rest !== undefined
        ? withBody(request, json)
        : undefined;
    }),
  },
  {
    id: 'transport/charset-refused-for-legacy',
    breaks: 'transport/json-both-ways',
    does: 'refuses JSON that is declared with its charset where an upload for a legacy site is started',
    around: instead((asked) =>
      asked.id === 'startSiteFileUpload' &&
      usable(asked) &&
      isLegacy(asked) &&
      asked.request.headers['content-type']?.includes('charset')
        ? errorWith(400, 'BAD_REQUEST')
        : undefined,
    ),
  },
  {
    id: 'transport/unclosed-json-mended-for-legacy',
    breaks: 'transport/json-both-ways',
    does: 'closes brackets that were left open, where an upload for a legacy site is started',
    around: onRequest((asked) => {
      const text = new TextDecoder().decode(bytesOf(asked.request));
      return asked.id === 'startSiteFileUpload' && isLegacy(asked) && /^\{[^}]*"$/.test(text)
        ? withBody(asked.request, `${text}}`)
        : undefined;
    }),
  },
  {
    id: 'errors/empty-code',
    breaks: 'errors/body',
    does: 'answers an empty error.code for whatever is unknown',
    around: inErrors(
      ({ reply }) => reply.status === 404,
      (error) => ({ error: { ...error, code: '' } }),
    ),
  },
  {
    id: 'errors/list-of-errors-for-legacy',
    breaks: 'errors/body',
    does: 'answers a list of errors where something is wrong about a legacy site',
    around: inErrors(isLegacy, (error) => ({ errors: [error] })),
  },
  {
    id: 'errors/message-alone-for-the-stranger',
    breaks: 'errors/body',
    does: 'answers {"message"} for what is unknown to the other tenant',
    around: inErrors(
      (answered) => answered.reply.status === 404 && ofStranger(answered),
      ({ message = '' }) => ({ message }),
    ),
  },
  {
    id: 'errors/flat-on-writes',
    breaks: 'errors/body',
    does: 'answers code and message without error around them to writes of labels alone',
    around: inErrors(
      (answered) => isWrite(answered) && answered.request.url.includes('/label/'),
      (error) => error,
    ),
  },
  {
    id: 'errors/number-as-code-of-a-key',
    breaks: 'errors/body',
    does: 'answers an unknown key with a number for error.code',
    around: onReply(({ refused }) =>
      refused === 'unknown-key' ? replyWith(403, { error: { code: 4031, message: 'Forbidden' } }) : undefined,
    ),
  },
  {
    id: 'errors/html-for-an-unknown-link',
    breaks: 'errors/body',
    does: 'answers a page where a client and a site are not linked',
    around: onReply(({ refused }) => (refused === 'unknown-link' ? html(404) : undefined)),
  },
  {
    id: 'errors/upload-409-after-the-first',
    breaks: 'errors/upload-statuses-are-declared',
    does: 'answers 409 to the second start for a legacy site, and to all after it',
    around: (scene) => {
      let started = 0;
      return onReply((answered) =>
        answered.id === 'startSiteFileUpload' && answered.ok && isLegacy(answered) && started++ > 0
          ? errorWith(409, 'CONFLICT')
          : undefined,
      )(scene);
    },
  },
  {
    id: 'ids/legacy-id-unknown-to-second-key',
    breaks: 'ids/legacy-site-id-works',
    does: 'finds legacy sites for the widest key alone, where an upload is started',
    around: instead((asked) =>
      asked.id === 'startSiteFileUpload' && usable(asked) && isLegacy(asked) && !isFullKey(asked)
        ? errorWith(404, 'NOT_FOUND')
        : undefined,
    ),
  },
  {
    id: 'ids/legacy-site-wants-post',
    breaks: 'ids/legacy-site-id-works',
    does: 'answers 405 where a label is put on a legacy site',
    around: instead((asked) =>
      asked.id === 'applySiteLabel' && usable(asked) && isLegacy(asked)
        ? errorWith(405, 'METHOD_NOT_ALLOWED')
        : undefined,
    ),
  },
  {
    id: 'ids/label-id-cut-off',
    breaks: 'ids/malformed-is-refused',
    does: 'reads the first 36 characters of a label id and ignores what follows',
    around: onRequest(({ request }) => {
      const url = request.url.replace(/(\/label\/[0-9a-f-]{36})[^/?]+/, '$1');
      return url === request.url ? undefined : { ...request, url };
    }),
  },
  {
    id: 'service/no-record-when-closed',
    breaks: 'service/named-endpoints-exist',
    does: 'answers 410 for the record of a closed conversation',
    around: onReply((answered) =>
      answered.id === 'getConversation' && answered.ok && isClosed(answered) ? errorWith(410, 'GONE') : undefined,
    ),
  },
  {
    id: 'service/health-always-503',
    breaks: 'service/named-endpoints-exist',
    does: 'answers its health with 503 whenever it is asked',
    around: always(503, ['getHealth']),
  },
  {
    id: 'versioning/labels-served-without-prefix',
    breaks: 'versioning/v1-prefix',
    does: 'takes labels off sites without /v1 as well',
    around: onRequest(({ request }) =>
      /^\/site\/[^/]+\/label\//.test(request.url) ? { ...request, url: `/v1${request.url}` } : undefined,
    ),
  },
  {
    id: 'limits/none-for-chunks',
    breaks: 'limits/above-10mb-is-refused',
    does: 'believes the announced length alone: bodies in chunks may have any size',
    around: onRequest(({ id, request }) => {
      if (id !== 'startSiteFileUpload' || request.headers['content-length'] !== undefined) return undefined;
      return withBody(request, new TextDecoder().decode(bytesOf(request)).replace(/\s+/g, ''));
    }),
  },
  {
    id: 'limits/one-megabyte-in-chunks',
    breaks: 'limits/below-10mb-passes',
    does: 'refuses bodies in chunks over 1 MB',
    around: instead((asked) =>
      usable(asked) &&
      asked.request.headers['content-length'] === undefined &&
      bytesOf(asked.request).length > 1024 * 1024
        ? errorWith(413, 'PAYLOAD_TOO_LARGE')
        : undefined,
    ),
  },
  {
    id: 'limits/one-megabyte-for-legacy',
    breaks: 'limits/below-10mb-passes',
    does: 'refuses bodies over 1 MB where an upload for a legacy site is started',
    around: instead((asked) =>
      usable(asked) && isLegacy(asked) && bytesOf(asked.request).length > 1024 * 1024
        ? errorWith(413, 'PAYLOAD_TOO_LARGE')
        : undefined,
    ),
  },
];
