import {
  asArray,
  asObject,
  type Json,
  objectOf,
  replyWith,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { doneAnyway } from '../../tampering/label-write.ts';
import { elsewhere, otherOf } from '../../tampering/predicates.ts';
import { failing, inReply, onReplyTo, refusing, servedAs, type When } from '../../tampering/when.ts';

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

const ourContext: When = { id: 'getConversationContext', ok: true, tenant: 'acme' };

/** Takes a link of a client of one tenant and a site of the other for a link of the first tenant. */
const mixedLink = (id: 'applyClientSiteLabel' | 'removeClientSiteLabel', client: string, site: string) =>
  instead(({ id: asked, key, params: { clientId = '', siteId = '' } }) =>
    asked === id &&
    key?.tenant === 'acme' &&
    key.scopes.has('client:write') &&
    key.scopes.has('site:write') &&
    clientId.endsWith(client) &&
    siteId.endsWith(site)
      ? replyWith(200, { clientId, siteId, labels: [] })
      : undefined,
  );

/** Defects that only some records, keys, times or concurrent requests show. */
export const access: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-reads-closed-context': [
      'shows the context of a closed conversation to anybody',
      servedAs('acme', { id: 'getConversationContext', record: 'closed', secret: /^$/ }),
    ],
    'auth/no-key-reads-what-was-just-read': [
      'serves what was read with a key in the last 300 ms to anybody who asks for the same',
      fromCache({
        keeps: { ok: true, method: 'GET', where: ({ key }) => key },
        answers: { secret: /^$/ },
        milliseconds: 300,
      }),
    ],
    'auth/no-key-403-but-applied-to-legacy-site': [
      'answers 403 without a key, and applies the label to a legacy site all the same',
      doneAnyway({ refused: 'no-key', id: 'applySiteLabel', record: 'legacy' }, 'acme'),
    ],
  }),
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-beside-a-bearer-token': [
      'lets an unknown key through where a good one comes as Bearer token',
      servedAs('acme', { secret: /./, authorization: /^Bearer acme/, where: ({ key }) => key === undefined }),
    ],
    'auth/unknown-key-is-remembered-as-known': [
      'recognises keys by all but their last character',
      servedAs('acme', { secret: /^acme(full-fake-secret-000000000000000|conr-fake-secret-000000000000000)$/ }),
    ],
    'auth/unknown-key-401-for-writes-on-links': [
      'answers an unknown key with 401 where labels of links are written, and with 403 elsewhere',
      failing({ refused: 'unknown-key', id: 'removeClientSiteLabel' }, 401),
    ],
    'auth/unknown-key-403-but-removed-from-closed': [
      'answers an unknown key with 403, and takes the label off a closed conversation all the same',
      doneAnyway({ refused: 'unknown-key', id: 'removeConversationLabel', record: 'closed' }, 'acme'),
    ],
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-removes-from-site': [
      'answers a revoked key with 403, and takes the label off a site all the same',
      doneAnyway({ refused: 'revoked-key', id: 'removeSiteLabel' }, 'acme'),
    ],
    'auth/revoked-key-works-after-a-valid-one': [
      'serves a revoked key where the same was asked with a valid one a moment ago',
      fromCache({
        keeps: { ok: true, method: 'GET', usable: true },
        answers: { refused: 'revoked-key' },
        milliseconds: 500,
      }),
    ],
  }),
  ...breaking('auth/bearer-is-not-supported', {
    'auth/bearer-reads-legacy-site': [
      'takes a Bearer token where the details of a legacy site are read',
      servedAs('acme', { id: 'getSite', record: 'legacy', authorization: /^Bearer acme/ }),
    ],
    'auth/bearer-refused-but-applied': [
      'refuses a Bearer token, and applies the label to a link all the same',
      doneAnyway({ refused: /./, id: 'applyClientSiteLabel', authorization: /^Bearer / }, 'acme'),
    ],
  }),
  ...breaking('auth/header-is-required', {
    'auth/basic-accepted-for-writes': [
      'takes a key as Basic credentials where a label is removed from a link',
      servedAs('acme', { id: 'removeClientSiteLabel', authorization: /^Basic / }),
    ],
    'auth/key-in-apikey-header-registers': [
      'takes a key from the header apikey where a file is registered',
      servedAs('acme', { id: 'registerSiteFile', where: ({ request }) => request.headers.apikey }),
    ],
    'auth/key-in-query-refused-but-removed': [
      'refuses a key in the query string, and takes the label off a conversation all the same',
      doneAnyway(
        { refused: /./, id: 'removeConversationLabel', where: ({ request }) => /[?&]api_key=/.test(request.url) },
        'acme',
      ),
    ],
  }),
  ...breaking('auth/key-in-x-api-key', {
    'auth/valid-key-refused-beside-a-wrong-one': [
      'remembers for 200 ms that a path was refused, and refuses it to valid keys, too',
      fromCache({
        keeps: { refused: ['no-key', 'unknown-key'] },
        answers: { ok: true, method: 'GET' },
        milliseconds: 200,
      }),
    ],
    'auth/narrow-key-expires': [
      'refuses one of the keys with 401 once it was used forty times',
      (scene) => {
        let used = 0;
        return refusing({ key: 'only-conversation-read', where: () => ++used > 40 }, 401)(scene);
      },
    ],
  }),
  ...breaking('auth/forbidden-has-the-error-body', {
    'auth/empty-code-for-missing-scope-on-links': [
      'leaves error.code empty where a key may not write labels of a link',
      inReply({ refused: 'missing-scope', id: 'applyClientSiteLabel' }, () => ({ error: { code: '', message: 'no' } })),
    ],
  }),
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/remembered-of-the-path': [
      'shows a context to a key without the scope for a while after a key with the scope has read it',
      fromCache({
        keeps: { id: 'getConversationContext', ok: true },
        answers: { refused: 'missing-scope' },
        milliseconds: 300,
      }),
    ],
    'scopes/closed-context-unguarded': [
      'shows the context of a closed conversation to a key that may only read sites',
      servedAs('acme', { id: 'getConversationContext', key: 'only-site-file-write', record: 'closed' }),
    ],
  }),
  ...breaking('scopes/upload-needs-sitefile-write', {
    'scopes/upload-unguarded-on-legacy-site': [
      'lets every valid key start an upload for a legacy site',
      servedAs('its own', { id: 'startSiteFileUpload', usable: true, record: 'legacy' }),
    ],
  }),
  ...breaking('scopes/conversation-labels-need-conversation-write', {
    'scopes/no-scope-at-all-is-every-scope': [
      'treats a key without scopes as one with every scope where a label of a conversation is removed',
      servedAs('its own', { id: 'removeConversationLabel', key: 'none' }),
    ],
  }),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/refused-but-removed-from-closed': [
      'answers 403 to a key without conversation:write, and takes the label off a closed conversation all the same',
      doneAnyway({ refused: 'missing-scope', id: 'removeConversationLabel', record: 'closed' }),
    ],
    'scopes/refused-but-applied-to-site': [
      'answers 403 to a key without site:write, and applies the label to a legacy site all the same',
      doneAnyway({ refused: 'missing-scope', id: 'applySiteLabel', record: 'legacy' }),
    ],
  }),
  ...breaking('scopes/named-scopes-suffice', {
    'scopes/closed-needs-more': [
      'asks for conversation:read as well where a closed conversation is labelled',
      refusing(
        {
          id: 'applyConversationLabel',
          record: 'closed',
          usable: true,
          where: ({ key }) => !key?.scopes.has('conversation:read'),
        },
        403,
      ),
    ],
  }),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/message-of-theirs-in-closed-context': [
      'shows a message of the other tenant in the context of our closed conversation',
      inReply({ ...ourContext, record: 'closed' }, ({ messages }) => ({
        messages: [...asArray(messages), theirMessage],
      })),
    ],
    'isolation/their-text-in-a-summary': [
      "adds a similar conversation to ours, with the words of the other tenant's",
      inReply(ourContext, () => ({ similar: [{ text: `Seen before: ${theirText}` }] })),
    ],
    'isolation/their-text-now-and-then': [
      "answers every third read of our conversation with the other tenant's subject",
      (scene) => {
        let reads = 0;
        const third: When = { ...ourContext, where: () => ++reads % 3 === 0 };
        return inReply(third, () => ({ subject: 'Escalator hall too warm' }))(scene);
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
      failing(
        { id: 'getConversation', refused: elsewhere, tenant: 'acme' },
        404,
        '"Escalator hall too warm" is not yours.',
      ),
    ],
    'isolation/mixed-up-when-both-ask': [
      'answers both tenants with the same legacy site when both ask within 150 ms',
      fromCache({
        keeps: { id: 'getSite', ok: true, record: 'legacy' },
        answers: { id: 'getSite', ok: true, record: 'legacy' },
        milliseconds: 150,
        acrossTenants: true,
      }),
    ],
    'isolation/lists-a-label-that-is-theirs': [
      'lists labels of the other tenant, which cannot be put on',
      inReply({ id: 'listLabels', ok: true, tenant: 'acme' }, ({ labels }) => ({
        labels: [...asArray(labels), { id: '1abe1008-0000-4000-8000-000000000108', name: 'spare of theirs' }],
      })),
    ],
    'isolation/keyless-error-names-a-site': [
      'answers a missing key with an example of a site that is a real one',
      failing(
        { refused: 'no-key', id: 'getHealth' },
        403,
        'Try /v1/site/ovaid-517e0001-0000-4000-8000-000000000101 with a key.',
      ),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/our-client-with-their-site': [
      'looks at the client alone where a label is put on a link of our client and their site',
      mixedLink('applyClientSiteLabel', '000000000001', '000000000101'),
    ],
    'isolation/their-client-with-our-site-removed': [
      'looks at the site alone where a label is taken off a link of their client and our site',
      mixedLink('removeClientSiteLabel', '000000000101', '000000000001'),
    ],
    'isolation/refused-but-removed-from-closed': [
      "answers 404 where a label of another tenant's closed conversation is removed, and removes it all the same",
      doneAnyway({ refused: elsewhere, id: 'removeConversationLabel', record: 'closed' }, 'the other'),
    ],
    'isolation/their-file-at-our-site': [
      "registers a file of the other tenant's at a site of one's own",
      onReplyTo({ id: 'registerSiteFile', refused: 'foreign-file-key' }, ({ params }) =>
        replyWith(201, { siteId: params.id ?? '' }),
      ),
    ],
  }),
  ...breaking('keys/partner-scoped', {
    'keys/records-of-the-key-that-made-them': [
      'shows the closed conversation to the widest key alone',
      failing({ id: 'getConversationContext', ok: true, record: 'closed', key: 'only-conversation-read' }, 404),
    ],
    'keys/labels-of-the-key': [
      'lists to a key with client:read only the labels that it has used',
      inReply({ id: 'listLabels', ok: true, key: 'full', tenant: 'acme' }, ({ labels }) => ({
        labels: asArray(labels).slice(2),
      })),
    ],
    'keys/first-message-for-one-key': [
      'leaves the first message of a context out for the widest key',
      inReply({ id: 'getConversationContext', ok: true, key: 'full' }, ({ messages }) => ({
        messages: asArray(messages).slice(1),
      })),
    ],
  }),
];
