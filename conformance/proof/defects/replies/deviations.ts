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
import type { Defect } from '../../tampering/defect.ts';
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
  {
    id: 'open/malformed-is-422',
    breaks: 'errors/invalid-request-is-400',
    does: 'answers whatever is malformed with 422',
    around: onReply(({ reply, id }) =>
      reply.status === 400 && id !== 'storage' ? errorWith(422, 'UNPROCESSABLE_ENTITY') : undefined,
    ),
  },
  {
    id: 'open/unknown-is-403',
    breaks: 'errors/unknown-is-404',
    does: 'answers whatever is unknown or private with 403, and what is foreign with 410',
    around: onReply(({ refused }) =>
      /^(unknown|private)-/.test(refused ?? '') && refused !== 'unknown-key'
        ? errorWith(403, 'FORBIDDEN')
        : /^foreign-/.test(refused ?? '')
          ? errorWith(410, 'GONE')
          : undefined,
    ),
  },
  {
    id: 'open/codes-in-lower-case',
    breaks: 'errors/codes',
    does: 'writes codes of errors in lower case',
    around: onReply(({ reply, id }) =>
      reply.status >= 400 && reply.status !== 429 && id !== 'storage'
        ? { ...reply, body: reply.body?.replace(/"code":"([A-Z_]+)"/, (code) => code.toLowerCase()) ?? null }
        : undefined,
    ),
  },
  {
    id: 'open/routing',
    breaks: 'errors/routing',
    does: 'answers an unknown path with 403, another method with 404, and a body that is not declared as JSON with 400',
    around: onReply(({ refused }) => {
      if (refused === 'unknown-path') return errorWith(403, 'FORBIDDEN');
      if (refused === 'wrong-method') return errorWith(404, 'NOT_FOUND');
      return refused === 'not-json' ? errorWith(400, 'BAD_REQUEST') : undefined;
    }),
  },
  {
    id: 'open/405-without-allow',
    breaks: 'errors/routing',
    does: 'answers 405 without Allow',
    around: onReply(({ refused, reply }) => {
      const { allow: _, ...headers } = reply.headers;
      return refused === 'wrong-method' ? { ...reply, headers } : undefined;
    }),
  },
  {
    id: 'open/json-as-text',
    breaks: 'transport/json-content-type',
    does: 'declares JSON as text/plain',
    around: onReply(({ reply, id }) =>
      id === 'storage' ? undefined : { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } },
    ),
  },
  {
    id: 'open/context-with-nulls',
    breaks: 'context/any-field-may-be-absent',
    does: 'answers null for a field of a context without a value',
    around: onReply(({ id, ok, reply }) =>
      id === 'getConversationContext' && ok ? withProperties(reply, { requester: null }) : undefined,
    ),
  },
  {
    id: 'open/context-labels-are-ids',
    breaks: 'context/labels-are-names',
    does: 'answers ids of labels in a context',
    around: onReply(({ id, ok, reply, mock }) => {
      if (id !== 'getConversationContext' || !ok) return undefined;
      const all = [...mock.tenants.values()].flatMap((tenant) => [...tenant.publicLabels.values()]);
      const ids = asArray(objectOf(reply).labels).map((name) => all.find((label) => label.name === name)?.id ?? name);
      return withProperties(reply, { labels: ids });
    }),
  },
  {
    id: 'open/labels-have-three-fields',
    breaks: 'labels/record-is-id-and-name',
    does: 'lists labels with a colour',
    around: onReply(({ id, ok, reply }) =>
      id === 'listLabels' && ok
        ? withProperties(reply, {
            labels: asArray(objectOf(reply).labels).map((label) => ({ ...(label as object), colour: 'red' })),
          })
        : undefined,
    ),
  },
  {
    id: 'open/label-set-at-items',
    breaks: 'labels/paths-and-methods',
    does: 'answers the labels of a conversation and of a link as items',
    around: onReply((one) => {
      const write = one.ok ? labelWriteOf(one) : undefined;
      if (write === undefined || write.on === 'site') return undefined;
      return withJson(one.reply, { items: asArray(objectOf(one.reply).labels) });
    }),
  },
  {
    id: 'open/record-lacks-fields',
    breaks: 'service/conversation-record',
    does: 'answers the record of a conversation with its id alone, to every key',
    around: (scene) => {
      const open = needsNothing(['getConversation'])(scene);
      return onReply(({ id, ok, reply }) =>
        id === 'getConversation' && ok ? withJson(reply, { id: objectOf(reply).id ?? '' }) : undefined,
      )({ ...scene, handle: open });
    },
  },
  {
    id: 'open/reference-endpoints',
    breaks: 'service/reference-endpoints',
    does: 'has no details of sites and clients, and calls its health up',
    around: instead(({ id, key }) => {
      if (key === undefined || key.revoked) return undefined;
      if (id === 'getHealth') return replyWith(200, { up: true });
      return id === 'getSite' || id === 'getClient' ? errorWith(404, 'NOT_FOUND') : undefined;
    }),
  },
  {
    id: 'open/details-lack-fields',
    breaks: 'service/reference-endpoints',
    does: 'answers details of sites and clients without their ids, to every key, and says of its health that it is fine',
    around: (scene) => {
      const open = needsNothing(['getSite', 'getClient'])(scene);
      return onReply(({ id, ok, reply }) => {
        if (!ok) return undefined;
        if (id === 'getHealth') return withJson(reply, { status: 'fine' });
        return id === 'getSite' || id === 'getClient' ? withJson(reply, {}) : undefined;
      })({ ...scene, handle: open });
    },
  },
  {
    id: 'open/details-with-203',
    breaks: 'service/reference-endpoints',
    does: 'answers details of sites and clients with 203',
    around: onReply(({ id, ok, reply }) =>
      ok && (id === 'getSite' || id === 'getClient') ? { ...reply, status: 203 } : undefined,
    ),
  },
  {
    id: 'open/health-for-some',
    breaks: 'service/reference-endpoints',
    does: 'answers its health only to keys with a scope',
    around: instead(({ id, key }) =>
      id === 'getHealth' && key !== undefined && !key.revoked && key.scopes.size === 0
        ? errorWith(403, 'FORBIDDEN')
        : undefined,
    ),
  },
  {
    id: 'open/scopes-not-asked-for',
    breaks: 'scopes/where-none-is-named',
    does: 'asks for no scope where the specification names none',
    around: needsNothing(['applySiteLabel', 'removeSiteLabel', 'applyClientSiteLabel', 'registerSiteFile']),
  },
  {
    id: 'open/listing-needs-a-scope',
    breaks: 'scopes/where-none-is-named',
    does: 'lists labels only to keys with a scope',
    around: instead(({ id, key }) =>
      id === 'listLabels' && key !== undefined && !key.revoked && key.scopes.size === 0
        ? errorWith(403, 'FORBIDDEN')
        : undefined,
    ),
  },
  {
    id: 'open/too-large-is-400',
    breaks: 'limits/too-large-is-413',
    does: 'answers a body that is too large with 400',
    around: answered(['too-large'], 400, 'BAD_REQUEST'),
  },
  {
    id: 'open/register-twice-is-fine',
    breaks: 'upload/register-twice-is-409',
    does: 'answers a second registration with 200',
    around: onReply(({ refused }) => (refused === 'register-twice' ? replyWith(200, {}) : undefined)),
  },
  {
    id: 'open/register-before-put-is-409',
    breaks: 'upload/register-before-put-is-422',
    does: 'answers a registration before the bytes came with 409',
    around: answered(['register-before-put'], 409, 'CONFLICT'),
  },
  {
    id: 'open/registration-reply',
    breaks: 'upload/registration-reply',
    does: 'answers a registration with 200 and an id',
    around: onReply(({ id, ok }) => (id === 'registerSiteFile' && ok ? replyWith(200, { id: 'f' }) : undefined)),
  },
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
