import { asArray, asObject, objectOf, replyWith, withJson } from '../../../../mock/proof/tampering/json-value.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { bucket, limiter } from '../../tampering/limiters.ts';
import {
  chain,
  failing,
  inListed,
  inReply,
  onReplyTo,
  recognisingKeysInAnyCase,
  refusing,
  servedAfterAll,
  type When,
  withStatus,
  withText,
} from '../../tampering/when.ts';

/** Lets a key without a scope do what needs the scope only by our decisions. */
const needsNothing = (id: When['id']) => servedAfterAll('its own', { id, refused: 'missing-scope' });

/**
 * Not defects but other legal answers to open questions than we assume. A law of such a rule never fails; it has
 * found the deviation if it reports another answer than the assumed one.
 */
export const deviations: readonly Defect[] = [
  ...breaking('errors/invalid-request-is-400', {
    'open/malformed-is-422': [
      'answers whatever is malformed with 422',
      failing({ status: 400, where: ({ id }) => id !== 'storage' }, 422),
    ],
  }),
  ...breaking('errors/unknown-is-404', {
    'open/unknown-is-403': [
      'answers whatever is unknown or private with 403, and what is foreign with 410',
      chain(failing({ refused: /^(unknown|private)-(?!key)/ }, 403), failing({ refused: /^foreign-/ }, 410)),
    ],
  }),
  ...breaking('errors/codes', {
    'open/codes-in-lower-case': [
      'writes codes of errors in lower case',
      withText({ where: ({ reply, id }) => reply.status >= 400 && reply.status !== 429 && id !== 'storage' }, (body) =>
        body.replace(/"code":"([A-Z_]+)"/, (code) => code.toLowerCase()),
      ),
    ],
  }),
  ...breaking('errors/routing', {
    'open/routing': [
      'answers an unknown path with 403, another method with 404, and a body that is not declared as JSON with 400',
      chain(
        failing({ refused: 'unknown-path' }, 403),
        failing({ refused: 'wrong-method' }, 404),
        failing({ refused: 'not-json' }, 400),
      ),
    ],
    'open/405-without-allow': [
      'answers 405 without Allow',
      onReplyTo({ refused: 'wrong-method' }, ({ reply }) => {
        const { allow: _, ...headers } = reply.headers;
        return { ...reply, headers };
      }),
    ],
  }),
  ...breaking('transport/json-content-type', {
    'open/json-as-text': [
      'declares JSON as text/plain',
      withText({ where: ({ id }) => id !== 'storage' }, (body) => body, 'text/plain'),
    ],
  }),
  ...breaking('context/any-field-may-be-absent', {
    'open/context-with-nulls': [
      'answers null for a field of a context without a value',
      inReply({ id: 'getConversationContext', ok: true }, () => ({ requester: null })),
    ],
  }),
  ...breaking('context/labels-are-names', {
    'open/context-labels-are-ids': [
      'answers ids of labels in a context',
      inReply({ id: 'getConversationContext', ok: true }, ({ labels }, { mock }) => {
        const all = [...mock.tenants.values()].flatMap((tenant) => [...tenant.publicLabels.values()]);
        return { labels: asArray(labels).map((name) => all.find((label) => label.name === name)?.id ?? name) };
      }),
    ],
    'open/context-labels-are-split': [
      'joins the names of labels with a character that is in some of them, and splits them there in a context',
      inReply({ id: 'getConversationContext', ok: true }, ({ labels }) => ({
        labels: asArray(labels).flatMap((name) => String(name).split('-')),
      })),
    ],
  }),
  ...breaking('upload/signature-is-verified', {
    'open/signature-of-any-upload': [
      'takes bytes at the URL of an upload with the signature of another one',
      (scene) => {
        const paths = new Map<string | null, string>();
        const urlOf = (url: string) => new URL(url, 'http://storage');
        const issued = inReply({ id: 'startSiteFileUpload', ok: true }, ({ uploadUrl }) => {
          const { searchParams, pathname } = urlOf(String(uploadUrl));
          paths.set(searchParams.get('X-Amz-Signature'), pathname);
          return {};
        });
        const taken = onReplyTo({ id: 'storage', status: 403 }, ({ request, reply }) => {
          const { searchParams, pathname } = urlOf(request.url);
          const signed = paths.get(searchParams.get('X-Amz-Signature')) ?? pathname;
          return signed === pathname ? undefined : { ...reply, status: 200, body: null };
        });
        return chain(issued, taken)(scene);
      },
    ],
  }),
  ...breaking('auth/key-in-other-case', {
    'open/keys-in-any-case': ['recognises keys in any letter case', recognisingKeysInAnyCase],
  }),
  ...breaking('labels/record-is-id-and-name', {
    'open/labels-have-three-fields': ['lists labels with a colour', inListed((label) => ({ ...label, colour: 'red' }))],
    'open/labels-named-as-their-neighbours': [
      'gives each label of a site the name of the next one',
      inReply({ id: ['applySiteLabel', 'removeSiteLabel'], ok: true }, ({ labels }) => {
        const records = asArray(labels);
        const next = [...records.slice(1), ...records.slice(0, 1)];
        return { labels: records.map((one, i) => ({ ...asObject(one), name: asObject(next[i]).name ?? '' })) };
      }),
    ],
  }),
  ...breaking('labels/paths-and-methods', {
    'open/label-set-at-items': [
      'answers the labels of a conversation and of a link as items',
      onReplyTo(
        {
          id: ['applyConversationLabel', 'removeConversationLabel', 'applyClientSiteLabel', 'removeClientSiteLabel'],
          ok: true,
        },
        ({ reply }) => withJson(reply, { items: asArray(objectOf(reply).labels) }),
      ),
    ],
  }),
  ...breaking('service/conversation-record', {
    'open/record-lacks-fields': [
      'answers the record of a conversation with its id alone, to every key',
      chain(
        needsNothing('getConversation'),
        onReplyTo({ id: 'getConversation', ok: true }, ({ reply }) =>
          withJson(reply, { id: objectOf(reply).id ?? '' }),
        ),
      ),
    ],
  }),
  ...breaking('service/reference-endpoints', {
    'open/reference-endpoints': [
      'has no details of sites and clients, and calls its health up',
      chain(
        withText({ id: 'getHealth', ok: true }, '{"up":true}'),
        failing({ id: ['getSite', 'getClient'], ok: true }, 404),
      ),
    ],
    'open/details-lack-fields': [
      'answers details of sites and clients without their ids, to every key, and says of its health that it is fine',
      chain(
        needsNothing(['getSite', 'getClient']),
        withText({ id: ['getSite', 'getClient'], ok: true }, '{}'),
        withText({ id: 'getHealth', ok: true }, '{"status":"fine"}'),
      ),
    ],
    'open/details-with-203': withStatus({ id: ['getSite', 'getClient'], ok: true }, 203),
    'open/health-for-some': refusing({ id: 'getHealth', usable: true, scopes: 0 }, 403),
  }),
  ...breaking('scopes/where-none-is-named', {
    'open/scopes-not-asked-for': [
      'asks for no scope where the specification names none',
      needsNothing(['applySiteLabel', 'removeSiteLabel', 'applyClientSiteLabel', 'registerSiteFile']),
    ],
    'open/listing-needs-a-scope': refusing({ id: 'listLabels', usable: true, scopes: 0 }, 403),
  }),
  ...breaking('limits/too-large-is-413', {
    'open/too-large-is-400': failing({ refused: 'too-large' }, 400),
  }),
  ...breaking('upload/register-twice-is-409', {
    'open/register-twice-is-fine': [
      'answers a second registration with 200',
      onReplyTo({ refused: 'register-twice' }, () => replyWith(200, {})),
    ],
  }),
  ...breaking('upload/register-before-put-is-422', {
    'open/register-before-put-is-409': failing({ refused: 'register-before-put' }, 409),
  }),
  ...breaking('upload/registration-reply', {
    'open/registration-reply': [
      'answers a registration with 200 and an id',
      onReplyTo({ id: 'registerSiteFile', ok: true }, () => replyWith(200, { id: 'f' })),
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
