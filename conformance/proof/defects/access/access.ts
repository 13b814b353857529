import {
  asArray,
  asObject,
  errorWith,
  type Json,
  objectOf,
  replyWith,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, type Asked, as, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { doneAnyway } from '../../tampering/label-write.ts';
import { isElsewhere, otherOf } from '../../tampering/predicates.ts';

const closed = ['c0000002-0000-4000-8000-000000000002', 'c0000002-0000-4000-8000-000000000102'];
const legacy = '10042';

const shownKey = ({ request }: Asked) => request.headers['x-api-key'] ?? '';

/** Serves some requests as if they had a key of this tenant with all scopes. */
const servedAs = (who: (asked: Asked) => string | undefined) =>
  instead((asked) => {
    const tenant = who(asked);
    return tenant === undefined ? undefined : asked.ask(as(asked.mock, asked.request, tenant));
  });

/** Adds data of the other tenant to replies to acme. */
const leaking = (ids: readonly OperationId[], change: (answered: Answered) => Answered['reply'] | undefined) =>
  onReply((answered) =>
    answered.key?.tenant === 'acme' && answered.ok && ids.some((id) => id === answered.id)
      ? change(answered)
      : undefined,
  );

const theirText = 'Shops around the escalators complain about the heat.';

const theirMessage = {
  author: 'Petra Novak',
  role: 'client',
  createdAt: '2026-11-15T10:12:00Z',
  text: theirText,
  isInternal: false,
  rawBody: theirText,
  attachments: [],
};

/** Defects that only some records, keys, times or concurrent requests show. */
export const access: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-reads-closed-context': [
      'shows the context of a closed conversation to anybody',
      servedAs((asked) =>
        shownKey(asked) === '' && asked.id === 'getConversationContext' && closed.includes(asked.params.id ?? '')
          ? 'acme'
          : undefined,
      ),
    ],
    'auth/no-key-reads-what-was-just-read': [
      'serves what was read with a key in the last 300 ms to anybody who asks for the same',
      (scene) => {
        const last = new Map<string, { at: number; reply: Answered['reply'] }>();
        return onReply(({ request, reply, ok, key, mock }) => {
          if (request.method !== 'GET') return undefined;
          const now = mock.clock.now();
          if (ok && key !== undefined) last.set(request.url, { at: now, reply });
          const cached = last.get(request.url);
          const keyless = (request.headers['x-api-key'] ?? '') === '';
          return keyless && cached !== undefined && now - cached.at <= 300 ? cached.reply : undefined;
        })(scene);
      },
    ],
    'auth/no-key-403-but-applied-to-legacy-site': [
      'answers 403 without a key, and applies the label to a legacy site all the same',
      doneAnyway(({ refused, params, id }) =>
        refused === 'no-key' && id === 'applySiteLabel' && params.id === legacy ? 'acme' : undefined,
      ),
    ],
  }),
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-beside-a-bearer-token': [
      'lets an unknown key through where a good one comes as Bearer token',
      servedAs(({ request, key }) =>
        key === undefined &&
        (request.headers['x-api-key'] ?? '') !== '' &&
        /^Bearer acme/.test(request.headers.authorization ?? '')
          ? 'acme'
          : undefined,
      ),
    ],
    'auth/unknown-key-is-remembered-as-known': [
      'recognises keys by all but their last character',
      servedAs(({ request, mock, key }) => {
        const secret = request.headers['x-api-key'] ?? '';
        const all = mock.keys.list().map(({ tenant, name }) => ({ tenant, name }));
        const known = ['acmefull-fake-secret-000000000000000', 'acmeconr-fake-secret-000000000000000'];
        return key === undefined && all.length > 0 && known.includes(secret) ? 'acme' : undefined;
      }),
    ],
    'auth/unknown-key-401-for-writes-on-links': [
      'answers an unknown key with 401 where labels of links are written, and with 403 elsewhere',
      onReply(({ refused, id }) =>
        refused === 'unknown-key' && id === 'removeClientSiteLabel' ? errorWith(401, 'UNAUTHORIZED') : undefined,
      ),
    ],
    'auth/unknown-key-403-but-removed-from-closed': [
      'answers an unknown key with 403, and takes the label off a closed conversation all the same',
      doneAnyway(({ refused, params, id }) =>
        refused === 'unknown-key' && id === 'removeConversationLabel' && closed.includes(params.id ?? '')
          ? 'acme'
          : undefined,
      ),
    ],
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-removes-from-site': [
      'answers a revoked key with 403, and takes the label off a site all the same',
      doneAnyway(({ refused, id }) => (refused === 'revoked-key' && id === 'removeSiteLabel' ? 'acme' : undefined)),
    ],
    'auth/revoked-key-works-after-a-valid-one': [
      'serves a revoked key where the same was asked with a valid one a moment ago',
      (scene) => {
        const last = new Map<string, number>();
        return onReply(({ request, ok, key, mock, ask }) => {
          const now = mock.clock.now();
          if (ok && key !== undefined && !key.revoked) last.set(request.url, now);
          const warm = now - (last.get(request.url) ?? Number.NEGATIVE_INFINITY) < 500;
          return key?.revoked && warm && request.method === 'GET' ? ask(as(mock, request, 'acme')) : undefined;
        })(scene);
      },
    ],
  }),
  ...breaking('auth/bearer-is-not-supported', {
    'auth/bearer-reads-legacy-site': [
      'takes a Bearer token where the details of a legacy site are read',
      servedAs(({ request, id, params }) =>
        /^Bearer acme/.test(request.headers.authorization ?? '') && id === 'getSite' && params.id === legacy
          ? 'acme'
          : undefined,
      ),
    ],
    'auth/bearer-refused-but-applied': [
      'refuses a Bearer token, and applies the label to a link all the same',
      doneAnyway(({ request, id, ok }) =>
        !ok && /^Bearer /.test(request.headers.authorization ?? '') && id === 'applyClientSiteLabel'
          ? 'acme'
          : undefined,
      ),
    ],
  }),
  ...breaking('auth/header-is-required', {
    'auth/basic-accepted-for-writes': [
      'takes a key as Basic credentials where a label is removed from a link',
      servedAs(({ request, id }) =>
        /^Basic /.test(request.headers.authorization ?? '') && id === 'removeClientSiteLabel' ? 'acme' : undefined,
      ),
    ],
    'auth/key-in-apikey-header-registers': [
      'takes a key from the header apikey where a file is registered',
      servedAs(({ request, id }) =>
        request.headers.apikey !== undefined && id === 'registerSiteFile' ? 'acme' : undefined,
      ),
    ],
    'auth/key-in-query-refused-but-removed': [
      'refuses a key in the query string, and takes the label off a conversation all the same',
      doneAnyway(({ request, id, ok }) =>
        !ok && /[?&]api_key=/.test(request.url) && id === 'removeConversationLabel' ? 'acme' : undefined,
      ),
    ],
  }),
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-beside-a-wrong-one': [
      'remembers for 200 ms that a path was refused, and refuses it to valid keys, too',
      (scene) => {
        const refusals = new Map<string, number>();
        return onReply(({ request, refused, ok, mock }) => {
          const now = mock.clock.now();
          if (refused === 'no-key' || refused === 'unknown-key') refusals.set(request.url, now);
          const cold = now - (refusals.get(request.url) ?? Number.NEGATIVE_INFINITY) < 200;
          return ok && cold && request.method === 'GET' ? errorWith(403, 'FORBIDDEN') : undefined;
        })(scene);
      },
    ],
    'auth/narrow-key-expires': [
      'refuses one of the keys with 401 once it was used forty times',
      (scene) => {
        let used = 0;
        return instead(({ key }) => {
          if (key?.name !== 'only-conversation-read') return undefined;
          used++;
          return used > 40 ? errorWith(401, 'UNAUTHORIZED') : undefined;
        })(scene);
      },
    ],
  }),
  ...breaking('auth/forbidden-has-the-error-body', {
    'auth/empty-code-for-missing-scope-on-links': [
      'leaves error.code empty where a key may not write labels of a link',
      onReply(({ refused, id }) =>
        refused === 'missing-scope' && id === 'applyClientSiteLabel' ? errorWith(403, '', 'no') : undefined,
      ),
    ],
  }),
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/remembered-of-the-path': [
      'shows a context to a key without the scope for a while after a key with the scope has read it',
      (scene) => {
        const last = new Map<string, { at: number; reply: Answered['reply'] }>();
        return onReply(({ request, reply, ok, refused, id, mock }) => {
          if (id !== 'getConversationContext') return undefined;
          if (ok) last.set(request.url, { at: mock.clock.now(), reply });
          const known = last.get(request.url);
          return refused === 'missing-scope' && known !== undefined && mock.clock.now() - known.at < 300
            ? known.reply
            : undefined;
        })(scene);
      },
    ],
    'scopes/closed-context-unguarded': [
      'shows the context of a closed conversation to a key that may only read sites',
      servedAs(({ key, id, params }) =>
        key?.name === 'only-site-file-write' && id === 'getConversationContext' && closed.includes(params.id ?? '')
          ? 'acme'
          : undefined,
      ),
    ],
  }),
  ...breaking('scopes/upload-needs-sitefile-write', {
    'scopes/upload-unguarded-on-legacy-site': [
      'lets every valid key start an upload for a legacy site',
      servedAs(({ key, id, params }) =>
        key !== undefined && !key.revoked && id === 'startSiteFileUpload' && params.id === legacy
          ? key.tenant
          : undefined,
      ),
    ],
  }),
  ...breaking('scopes/conversation-labels-need-conversation-write', {
    'scopes/no-scope-at-all-is-every-scope': [
      'treats a key without scopes as one with every scope where a label of a conversation is removed',
      servedAs(({ key, id }) => (key?.name === 'none' && id === 'removeConversationLabel' ? key.tenant : undefined)),
    ],
  }),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/refused-but-removed-from-closed': [
      'answers 403 to a key without conversation:write, and takes the label off a closed conversation all the same',
      doneAnyway(({ refused, id, params, key }) =>
        refused === 'missing-scope' && id === 'removeConversationLabel' && closed.includes(params.id ?? '')
          ? key?.tenant
          : undefined,
      ),
    ],
    'scopes/refused-but-applied-to-site': [
      'answers 403 to a key without site:write, and applies the label to a legacy site all the same',
      doneAnyway(({ refused, id, params, key }) =>
        refused === 'missing-scope' && id === 'applySiteLabel' && params.id === legacy ? key?.tenant : undefined,
      ),
    ],
  }),
  ...breaking('scopes/named-scopes-suffice', {
    'scopes/closed-needs-more': [
      'asks for conversation:read as well where a closed conversation is labelled',
      instead(({ id, key, params }) =>
        id === 'applyConversationLabel' &&
        closed.includes(params.id ?? '') &&
        key !== undefined &&
        !key.revoked &&
        !key.scopes.has('conversation:read')
          ? errorWith(403, 'FORBIDDEN')
          : undefined,
      ),
    ],
  }),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/message-of-theirs-in-closed-context': [
      'shows a message of the other tenant in the context of our closed conversation',
      leaking(['getConversationContext'], ({ reply, params }) =>
        closed.includes(params.id ?? '')
          ? withProperties(reply, { messages: [...asArray(objectOf(reply).messages), theirMessage] })
          : undefined,
      ),
    ],
    'isolation/their-text-in-a-summary': [
      "adds a similar conversation to ours, with the words of the other tenant's",
      leaking(['getConversationContext'], ({ reply }) =>
        withProperties(reply, { similar: [{ text: `Seen before: ${theirText}` }] }),
      ),
    ],
    'isolation/their-text-now-and-then': [
      "answers every third read of our conversation with the other tenant's subject",
      (scene) => {
        let reads = 0;
        return leaking(['getConversationContext'], ({ reply }) =>
          ++reads % 3 === 0 ? withProperties(reply, { subject: 'Escalator hall too warm' }) : undefined,
        )(scene);
      },
    ],
    'isolation/their-message-after-a-write': [
      "shows a short message of the other tenant's conversation in a context that is read right after a write",
      (scene) => {
        const messages = new Map<string, Json>();
        let written = false;
        return onReply(({ id, ok, key, reply }) => {
          const wasWritten = written;
          if (id !== 'getConversationContext') written = ok && id?.includes('Label') === true && id !== 'listLabels';
          if (id !== 'getConversationContext' || !ok || key === undefined) return undefined;
          const own = asArray(objectOf(reply).messages);
          const short = { ...asObject(own[0]), author: `Al ${key.tenant}`, text: 'Yes.', rawBody: 'Yes.' };
          messages.set(key.tenant, short);
          const theirs = messages.get(otherOf(key.tenant));
          return withProperties(reply, {
            messages: [...own, short, ...(wasWritten && theirs !== undefined ? [theirs] : [])],
          });
        })(scene);
      },
    ],
    'isolation/their-text-in-a-refusal': [
      "tells a stranger's key what a conversation that it may not see is about",
      onReply(({ id, refused, key }) =>
        id === 'getConversation' && isElsewhere(refused) && key?.tenant === 'acme'
          ? errorWith(404, 'NOT_FOUND', '"Escalator hall too warm" is not yours.')
          : undefined,
      ),
    ],
    'isolation/mixed-up-when-both-ask': [
      'answers both tenants with the same legacy site when both ask within 150 ms',
      (scene) => {
        let last: { at: number; tenant: string; reply: Answered['reply'] } | undefined;
        return onReply(({ id, ok, key, params, reply, mock }) => {
          if (id !== 'getSite' || params.id !== legacy || !ok || key === undefined) return undefined;
          const now = mock.clock.now();
          const before = last;
          last = { at: now, tenant: key.tenant, reply };
          return before !== undefined && before.tenant !== key.tenant && now - before.at <= 150
            ? before.reply
            : undefined;
        })(scene);
      },
    ],
    'isolation/lists-a-label-that-is-theirs': [
      'lists labels of the other tenant, which cannot be put on',
      leaking(['listLabels'], ({ reply }) =>
        withProperties(reply, {
          labels: [
            ...asArray(objectOf(reply).labels),
            { id: '1abe1008-0000-4000-8000-000000000108', name: 'spare of theirs' },
          ],
        }),
      ),
    ],
    'isolation/keyless-error-names-a-site': [
      'answers a missing key with an example of a site that is a real one',
      onReply(({ refused, id }) =>
        refused === 'no-key' && id === 'getHealth'
          ? errorWith(403, 'FORBIDDEN', 'Try /v1/site/ovaid-517e0001-0000-4000-8000-000000000101 with a key.')
          : undefined,
      ),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/our-client-with-their-site': [
      'looks at the client alone where a label is put on a link of our client and their site',
      instead(({ id, key, params }) =>
        id === 'applyClientSiteLabel' &&
        key?.tenant === 'acme' &&
        key.scopes.has('client:write') &&
        key.scopes.has('site:write') &&
        params.clientId?.endsWith('000000000001') &&
        params.siteId?.endsWith('000000000101')
          ? replyWith(200, { clientId: params.clientId, siteId: params.siteId, labels: [] })
          : undefined,
      ),
    ],
    'isolation/their-client-with-our-site-removed': [
      'looks at the site alone where a label is taken off a link of their client and our site',
      instead(({ id, key, params }) =>
        id === 'removeClientSiteLabel' &&
        key?.tenant === 'acme' &&
        key.scopes.has('client:write') &&
        key.scopes.has('site:write') &&
        params.clientId?.endsWith('000000000101') &&
        params.siteId?.endsWith('000000000001')
          ? replyWith(200, { clientId: params.clientId, siteId: params.siteId, labels: [] })
          : undefined,
      ),
    ],
    'isolation/refused-but-removed-from-closed': [
      "answers 404 where a label of another tenant's closed conversation is removed, and removes it all the same",
      doneAnyway(({ refused, id, params, key }) =>
        isElsewhere(refused) && id === 'removeConversationLabel' && closed.includes(params.id ?? '')
          ? otherOf(key?.tenant)
          : undefined,
      ),
    ],
    'isolation/their-file-at-our-site': [
      "registers a file of the other tenant's at a site of one's own",
      onReply(({ id, refused, params }) =>
        id === 'registerSiteFile' && refused === 'foreign-file-key'
          ? replyWith(201, { siteId: params.id ?? '' })
          : undefined,
      ),
    ],
  }),
  ...breaking('keys/partner-scoped', {
    'keys/records-of-the-key-that-made-them': [
      'shows the closed conversation to the widest key alone',
      onReply(({ id, ok, key, params }) =>
        id === 'getConversationContext' &&
        ok &&
        closed.includes(params.id ?? '') &&
        key?.name === 'only-conversation-read'
          ? errorWith(404, 'NOT_FOUND')
          : undefined,
      ),
    ],
    'keys/labels-of-the-key': [
      'lists to a key with client:read only the labels that it has used',
      onReply(({ id, ok, key, reply }) =>
        id === 'listLabels' && ok && key?.name === 'full' && key.tenant === 'acme'
          ? withProperties(reply, { labels: asArray(objectOf(reply).labels).slice(2) })
          : undefined,
      ),
    ],
    'keys/first-message-for-one-key': [
      'leaves the first message of a context out for the widest key',
      onReply(({ id, ok, key, reply }) =>
        id === 'getConversationContext' && ok && key?.name === 'full'
          ? withProperties(reply, { messages: asArray(asObject(objectOf(reply)).messages).slice(1) })
          : undefined,
      ),
    ],
  }),
];
