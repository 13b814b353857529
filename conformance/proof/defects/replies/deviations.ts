import {
  asArray,
  errorWith,
  objectOf,
  replyWith,
  withJson,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { as, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { RefusalCase } from '../../../../mock/refusal.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { labelWriteOf } from '../../tampering/label-write.ts';
import { bucket, limiter } from '../../tampering/limiters.ts';

const answered = (cases: readonly RefusalCase[], status: number, code: string) =>
  onReply(({ refused }) => (cases.some((one) => one === refused) ? errorWith(status, code) : undefined));

/** Lets a key without a scope do what needs the scope only by our decisions. */
const needsNothing = (which: readonly string[]) =>
  onReply(({ id, refused, key, mock, request, ask }) =>
    refused === 'missing-scope' && key !== undefined && which.includes(id ?? '')
      ? ask(as(mock, request, key.tenant))
      : undefined,
  );

/**
 * Not defects but other legal answers to open questions than we assume. A law of such a rule never fails; it has
 * found the deviation if it reports another answer than the assumed one.
 */
export const deviations: readonly Defect[] = [
  ...breaking('errors/invalid-request-is-400', {
    'open/malformed-is-422': [
      'answers whatever is malformed with 422',
      onReply(({ reply, id }) =>
        reply.status === 400 && id !== 'storage' ? errorWith(422, 'UNPROCESSABLE_ENTITY') : undefined,
      ),
    ],
  }),
  ...breaking('errors/unknown-is-404', {
    'open/unknown-is-403': [
      'answers whatever is unknown or private with 403, and what is foreign with 410',
      onReply(({ refused }) =>
        /^(unknown|private)-/.test(refused ?? '') && refused !== 'unknown-key'
          ? errorWith(403, 'FORBIDDEN')
          : /^foreign-/.test(refused ?? '')
            ? errorWith(410, 'GONE')
            : undefined,
      ),
    ],
  }),
  ...breaking('errors/codes', {
    'open/codes-in-lower-case': [
      'writes codes of errors in lower case',
      onReply(({ reply, id }) =>
        reply.status >= 400 && reply.status !== 429 && id !== 'storage'
          ? { ...reply, body: reply.body?.replace(/"code":"([A-Z_]+)"/, (code) => code.toLowerCase()) ?? null }
          : undefined,
      ),
    ],
  }),
  ...breaking('errors/routing', {
    'open/routing': [
      'answers an unknown path with 403, another method with 404, and a body that is not declared as JSON with 400',
      onReply(({ refused }) => {
        if (refused === 'unknown-path') return errorWith(403, 'FORBIDDEN');
        if (refused === 'wrong-method') return errorWith(404, 'NOT_FOUND');
        return refused === 'not-json' ? errorWith(400, 'BAD_REQUEST') : undefined;
      }),
    ],
    'open/405-without-allow': [
      'answers 405 without Allow',
      onReply(({ refused, reply }) => {
        const { allow: _, ...headers } = reply.headers;
        return refused === 'wrong-method' ? { ...reply, headers } : undefined;
      }),
    ],
  }),
  ...breaking('transport/json-content-type', {
    'open/json-as-text': [
      'declares JSON as text/plain',
      onReply(({ reply, id }) =>
        id === 'storage' ? undefined : { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } },
      ),
    ],
  }),
  ...breaking('context/any-field-may-be-absent', {
    'open/context-with-nulls': [
      'answers null for a field of a context without a value',
      onReply(({ id, ok, reply }) =>
        id === 'getConversationContext' && ok ? withProperties(reply, { requester: null }) : undefined,
      ),
    ],
  }),
  ...breaking('context/labels-are-names', {
    'open/context-labels-are-ids': [
      'answers ids of labels in a context',
      onReply(({ id, ok, reply, mock }) => {
        if (id !== 'getConversationContext' || !ok) return undefined;
        const all = [...mock.tenants.values()].flatMap((tenant) => [...tenant.publicLabels.values()]);
        const ids = asArray(objectOf(reply).labels).map((name) => all.find((label) => label.name === name)?.id ?? name);
        return withProperties(reply, { labels: ids });
      }),
    ],
  }),
  ...breaking('labels/record-is-id-and-name', {
    'open/labels-have-three-fields': [
      'lists labels with a colour',
      onReply(({ id, ok, reply }) =>
        id === 'listLabels' && ok
          ? withProperties(reply, {
              labels: asArray(objectOf(reply).labels).map((label) => ({ ...(label as object), colour: 'red' })),
            })
          : undefined,
      ),
    ],
  }),
  ...breaking('labels/paths-and-methods', {
    'open/label-set-at-items': [
      'answers the labels of a conversation and of a link as items',
      onReply((one) => {
        const write = one.ok ? labelWriteOf(one) : undefined;
        if (write === undefined || write.on === 'site') return undefined;
        return withJson(one.reply, { items: asArray(objectOf(one.reply).labels) });
      }),
    ],
  }),
  ...breaking('service/conversation-record', {
    'open/record-lacks-fields': [
      'answers the record of a conversation with its id alone, to every key',
      (scene) => {
        const open = needsNothing(['getConversation'])(scene);
        return onReply(({ id, ok, reply }) =>
          id === 'getConversation' && ok ? withJson(reply, { id: objectOf(reply).id ?? '' }) : undefined,
        )({ ...scene, handle: open });
      },
    ],
  }),
  ...breaking('service/reference-endpoints', {
    'open/reference-endpoints': [
      'has no details of sites and clients, and calls its health up',
      instead(({ id, key }) => {
        if (key === undefined || key.revoked) return undefined;
        if (id === 'getHealth') return replyWith(200, { up: true });
        return id === 'getSite' || id === 'getClient' ? errorWith(404, 'NOT_FOUND') : undefined;
      }),
    ],
    'open/details-lack-fields': [
      'answers details of sites and clients without their ids, to every key, and says of its health that it is fine',
      (scene) => {
        const open = needsNothing(['getSite', 'getClient'])(scene);
        return onReply(({ id, ok, reply }) => {
          if (!ok) return undefined;
          if (id === 'getHealth') return withJson(reply, { status: 'fine' });
          return id === 'getSite' || id === 'getClient' ? withJson(reply, {}) : undefined;
        })({ ...scene, handle: open });
      },
    ],
    'open/details-with-203': [
      'answers details of sites and clients with 203',
      onReply(({ id, ok, reply }) =>
        ok && (id === 'getSite' || id === 'getClient') ? { ...reply, status: 203 } : undefined,
      ),
    ],
    'open/health-for-some': [
      'answers its health only to keys with a scope',
      instead(({ id, key }) =>
        id === 'getHealth' && key !== undefined && !key.revoked && key.scopes.size === 0
          ? errorWith(403, 'FORBIDDEN')
          : undefined,
      ),
    ],
  }),
  ...breaking('scopes/where-none-is-named', {
    'open/scopes-not-asked-for': [
      'asks for no scope where the specification names none',
      needsNothing(['applySiteLabel', 'removeSiteLabel', 'applyClientSiteLabel', 'registerSiteFile']),
    ],
    'open/listing-needs-a-scope': [
      'lists labels only to keys with a scope',
      instead(({ id, key }) =>
        id === 'listLabels' && key !== undefined && !key.revoked && key.scopes.size === 0
          ? errorWith(403, 'FORBIDDEN')
          : undefined,
      ),
    ],
  }),
  ...breaking('limits/too-large-is-413', {
    'open/too-large-is-400': ['answers a body that is too large with 400', answered(['too-large'], 400, 'BAD_REQUEST')],
  }),
  ...breaking('upload/register-twice-is-409', {
    'open/register-twice-is-fine': [
      'answers a second registration with 200',
      onReply(({ refused }) => (refused === 'register-twice' ? replyWith(200, {}) : undefined)),
    ],
  }),
  ...breaking('upload/register-before-put-is-422', {
    'open/register-before-put-is-409': [
      'answers a registration before the bytes came with 409',
      answered(['register-before-put'], 409, 'CONFLICT'),
    ],
  }),
  ...breaking('upload/registration-reply', {
    'open/registration-reply': [
      'answers a registration with 200 and an id',
      onReply(({ id, ok }) => (id === 'registerSiteFile' && ok ? replyWith(200, { id: 'f' }) : undefined)),
    ],
  }),
  {
    id: 'open/thirty-at-once',
    breaks: 'limiter/burst-reading',
    does: 'admits 30 at once',
    options: (reached) => ({
      createLimiter: (first) =>
        limiter(first, (limit) => {
          reached();
          return bucket({ ...limit, burst: limit.burst + limit.perSecond });
        }),
    }),
  },
];
