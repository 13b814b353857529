import { asArray, objectOf, withJson } from '../../../mock/proof/tampering/json-value.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { bucket, limiter } from '../tampering/limiters.ts';
import {
  anyError,
  chain,
  failing,
  inListed,
  inReply,
  onReplyTo,
  recognisingKeysInAnyCase,
  refusing,
  replying,
  servedAfterAll,
  type When,
  withStatus,
  withText,
} from '../tampering/when.ts';

/** Lets a key without a scope do what needs the scope only by our decisions. */
const needsNothing = (id: When['id']) => servedAfterAll('its own', { id, refused: 'missing-scope' });

const details: When = { id: ['getSite', 'getClient'], ok: true };

/**
 * Not defects but other legal answers to open questions than we assume. A law of such a rule never fails; it has
 * found the deviation if it reports another answer than the assumed one.
 */
export const deviations: readonly Defect[] = [
  ...breaking('errors/invalid-request-is-400', {
    'open/malformed-is-422': failing({ status: 400, where: ({ id }) => id !== 'storage' }, 422),
  }),
  ...breaking('errors/unknown-is-404', {
    'open/unknown-is-403': [
      'answers whatever is unknown or private with 403, and what is foreign with 410',
      chain(failing({ refused: /^(unknown|private)-(?!key)/ }, 403), failing({ refused: /^foreign-/ }, 410)),
    ],
  }),
  ...breaking('errors/codes', {
    'open/codes-in-lower-case': withText(anyError, (body) =>
      body.replace(/"code":"([A-Z_]+)"/, (code) => code.toLowerCase()),
    ),
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
    'open/405-without-allow': onReplyTo({ refused: 'wrong-method' }, ({ reply: { headers, ...reply } }) => {
      const { allow: _, ...others } = headers;
      return { ...reply, headers: others };
    }),
  }),
  ...breaking('transport/json-content-type', {
    'open/json-as-text': withText({ where: ({ id }) => id !== 'storage' }, (body) => body, 'text/plain'),
  }),
  ...breaking('context/any-field-may-be-absent', {
    'open/context-with-nulls': inReply({ id: 'getConversationContext', ok: true }, () => ({ requester: null })),
  }),
  ...breaking('context/labels-are-names', {
    'open/context-labels-are-ids': inReply({ id: 'getConversationContext', ok: true }, ({ labels }, { mock }) => {
      const all = [...mock.tenants.values()].flatMap((tenant) => [...tenant.publicLabels.values()]);
      return { labels: asArray(labels).map((name) => all.find((label) => label.name === name)?.id ?? name) };
    }),
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
  ...breaking('auth/key-in-other-case', { 'open/keys-in-any-case': recognisingKeysInAnyCase }),
  ...breaking('labels/record-is-id-and-name', {
    'open/labels-have-three-fields': inListed((label) => ({ ...label, colour: 'red' })),
  }),
  ...breaking('labels/paths-and-methods', {
    'open/label-set-at-items': onReplyTo(
      {
        id: ['applyConversationLabel', 'removeConversationLabel', 'applyClientSiteLabel', 'removeClientSiteLabel'],
        ok: true,
      },
      ({ reply }) => withJson(reply, { items: asArray(objectOf(reply).labels) }),
    ),
  }),
  ...breaking('service/conversation-record', {
    'open/record-lacks-fields': chain(
      needsNothing('getConversation'),
      onReplyTo({ id: 'getConversation', ok: true }, ({ reply }) => withJson(reply, { id: objectOf(reply).id ?? '' })),
    ),
  }),
  ...breaking('service/reference-endpoints', {
    'open/reference-endpoints': [
      'has no details of sites and clients, and calls its health up',
      chain(withText({ id: 'getHealth', ok: true }, '{"up":true}'), failing(details, 404)),
    ],
    'open/details-lack-fields': [
      'answers details of sites and clients without their ids, to every key, and says of its health that it is fine',
      chain(
        needsNothing(details.id),
        withText(details, '{}'),
        withText({ id: 'getHealth', ok: true }, '{"status":"fine"}'),
      ),
    ],
    'open/details-with-203': withStatus(details, 203),
    'open/health-for-some': refusing({ id: 'getHealth', usable: true, scopes: 0 }, 403),
  }),
  ...breaking('scopes/where-none-is-named', {
    'open/scopes-not-asked-for': needsNothing([
      'applySiteLabel',
      'removeSiteLabel',
      'applyClientSiteLabel',
      'registerSiteFile',
    ]),
    'open/listing-needs-a-scope': refusing({ id: 'listLabels', usable: true, scopes: 0 }, 403),
  }),
  ...breaking('limits/too-large-is-413', { 'open/too-large-is-400': failing({ refused: 'too-large' }, 400) }),
  ...breaking('upload/register-twice-is-409', {
    'open/register-twice-is-fine': replying({ refused: 'register-twice' }, 200, {}),
  }),
  ...breaking('upload/register-before-put-is-422', {
    'open/register-before-put-is-409': failing({ refused: 'register-before-put' }, 409),
  }),
  ...breaking('upload/registration-reply', {
    'open/registration-reply': replying({ id: 'registerSiteFile', ok: true }, 200, { id: 'f' }),
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
