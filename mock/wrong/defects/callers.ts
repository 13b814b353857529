import { operationIds } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Around, breaking, type Defect } from '../tampering/defect.ts';
import { fromCache } from '../tampering/from-cache.ts';
import { asArray, type Json, replyWith } from '../tampering/json-value.ts';
import { doneAnyway, labelWriteOf } from '../tampering/label-write.ts';
import { elsewhere, otherOf } from '../tampering/predicates.ts';
import type { Asked } from '../tampering/tamper.ts';
import {
  type AskedWhen,
  failing,
  inListed,
  inReply,
  onReplyTo,
  refusing,
  replying,
  servedAfterAll,
  servedAs,
  throttling,
  type When,
  withHeaders,
} from '../tampering/when.ts';

type Request = Asked['request'];

/** Accepts values of x-api-key that are no keys. */
const recognising = (isTaken: (value: string, keys: Asked['mock']['keys']) => unknown) =>
  servedAs('acme', {
    secret: /./,
    where: ({ key, request, mock }) => key === undefined && isTaken(request.headers['x-api-key'] ?? '', mock.keys),
  });

/** Accepts the secret of a key that stands elsewhere. */
const takenFrom = (secretIn: (request: Request) => string | null | undefined, when: AskedWhen = {}) =>
  servedAs('acme', {
    secret: /^$/,
    ...when,
    where: ({ request, mock }) => mock.keys.recognise(decodeURIComponent(secretIn(request) ?? ''))?.tenant === 'acme',
  });
const inQuery =
  (name: string) =>
  ({ url }: Request) =>
    new URLSearchParams(url.split('?')[1] ?? '').get(name);
const inAuthorization =
  (form: RegExp) =>
  ({ headers }: Request) =>
    form.exec(headers.authorization ?? '')?.[1];

const unknown: AskedWhen = { id: operationIds, secret: /./, where: ({ key }) => key === undefined };
const gatewayBody = { message: 'Forbidden' };

/** Serves some operations to keys that lack a scope. */
const unguarded = (id: When['id'], when: When = {}) =>
  servedAfterAll('its own', { ...when, id, refused: 'missing-scope' });
const labelOfConversation: When['id'] = ['applyConversationLabel', 'removeConversationLabel'];

const isLabelOfTheirs = ({ params: { labelId = '' }, mock, key }: Asked) =>
  mock.tenants.get(otherOf(key?.tenant))?.records.publicLabels.has(labelId);

/** Who asks, what their key may do, and whose records they reach: what is not the same at every operation. */
export const callers: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/empty-key-401': failing(
      { refused: 'no-key', where: ({ request }) => request.headers['x-api-key'] === '' },
      401,
    ),
    'auth/no-key-always-429': throttling({ id: operationIds, secret: /^$/ }),
  }),
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-always-500': refusing(unknown, 500),
    'auth/unknown-key-with-a-quote-500': refusing({ ...unknown, secret: /['"]/ }, 500),
    'auth/unknown-key-beside-a-bearer-token': servedAs('acme', { ...unknown, authorization: /^Bearer acme/ }),
    'auth/key-with-a-tail': recognising((value, keys) => keys.recognise(value.slice(0, -1))),
    'auth/key-with-a-head': recognising((value, keys) => keys.recognise(value.slice(1))),
    'auth/last-character-ignored': recognising(
      (value, keys) => value.length > 20 && [...'0123456789'].some((last) => keys.recognise(value.slice(0, -1) + last)),
    ),
    'auth/any-key-of-a-list': recognising((value, keys) => value.split(', ').some((one) => keys.recognise(one))),
    'auth/key-ends-at-nul': recognising((value, keys) => keys.recognise(value.split('%00')[0] ?? '')),
    'auth/wildcard-is-a-key': recognising((value) => value === '*' || value === '%'),
    'auth/undefined-is-a-key': recognising((value) => value === 'undefined' || value === 'null'),
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-always-429': throttling({ id: operationIds, where: ({ key }) => key?.revoked }),
  }),
  ...breaking('auth/bearer-is-not-supported', {
    'auth/bearer-with-a-key': takenFrom(inAuthorization(/^Bearer (.*)$/)),
  }),
  ...breaking('auth/header-is-required', {
    'auth/basic-401': failing({ refused: /./, secret: /^$/, authorization: /^Basic / }, 401),
    'auth/basic-accepted-for-writes': servedAs('acme', { id: 'removeClientSiteLabel', authorization: /^Basic / }),
    'auth/key-in-query-accepted': takenFrom(inQuery('x-api-key')),
    'auth/api-key-in-query-reads': takenFrom(inQuery('api_key'), { method: 'GET' }),
    'auth/key-in-query-refused-but-removed': doneAnyway(
      { refused: /./, id: 'removeConversationLabel', url: /[?&]api_key=/ },
      'acme',
    ),
    'auth/key-in-cookie-accepted': takenFrom(({ headers }) => /x-api-key=([^;]+)/.exec(headers.cookie ?? '')?.[1]),
    'auth/bare-authorization-accepted': takenFrom(inAuthorization(/^(.*)$/)),
    'auth/api-key-scheme-accepted': takenFrom(inAuthorization(/^ApiKey (.*)$/i)),
    'auth/key-in-apikey-header-registers': takenFrom(({ headers }) => headers.apikey, { id: 'registerSiteFile' }),
  }),
  ...breaking('auth/forbidden-has-the-error-body', {
    'auth/gateway-body-without-key': replying({ refused: 'no-key' }, 403, gatewayBody),
    'auth/gateway-body-for-missing-scope': replying({ refused: 'missing-scope' }, 403, gatewayBody),
    'auth/gateway-body-for-unknown-key': replying({ refused: 'unknown-key' }, 403, gatewayBody),
    'auth/revoked-key-without-code': replying({ refused: 'revoked-key' }, 403, {
      error: { message: 'It was revoked.' },
    }),
  }),
  ...breaking('keys/partner-scoped', {
    'keys/labels-of-the-key': inReply({ id: 'listLabels', ok: true, key: 'full', tenant: 'acme' }, ({ labels }) => ({
      labels: asArray(labels).slice(2),
    })),
    'keys/messages-of-the-key': inReply({ id: 'getConversationContext', ok: true, key: 'full' }, ({ messages }) => ({
      messages: asArray(messages).slice(1),
    })),
  }),
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/write-implies-read': unguarded('getConversationContext', { holds: 'conversation:write' }),
    'scopes/any-read-suffices': unguarded('getConversationContext', { holds: 'site:read' }),
    'scopes/not-asked-with-a-query': unguarded('getConversationContext', { url: /\?/ }),
  }),
  ...breaking('scopes/upload-needs-sitefile-write', {
    'scopes/site-read-uploads': unguarded('startSiteFileUpload', { holds: 'site:read' }),
  }),
  ...breaking('scopes/conversation-labels-need-conversation-write', {
    'scopes/no-scope-is-every-scope': servedAs('its own', { id: 'removeConversationLabel', key: 'none' }),
    'scopes/read-may-label': unguarded(labelOfConversation, { holds: 'conversation:read' }),
    'scopes/any-write-may-label': unguarded('removeConversationLabel', { holds: 'client:write' }),
    'scopes/not-asked-of-writes-with-a-query': unguarded(labelOfConversation, { url: /\?/ }),
  }),
  ...breaking('scopes/link-remove-needs-both', {
    'scopes/link-client-write-suffices': unguarded('removeClientSiteLabel', { holds: 'client:write' }),
    'scopes/link-site-write-suffices': unguarded('removeClientSiteLabel', { holds: 'site:write' }),
  }),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/encoded-ids-of-the-other': servedAfterAll('the other', { refused: elsewhere, url: /%/ }),
    'isolation/legacy-site-of-the-other': servedAs('acme', { id: 'getSite', tenant: 'globex', record: 'legacy' }),
    'isolation/site-cache-without-key': [
      'caches the details of sites by path, so that two tenants with one bare id see the first that was asked for',
      fromCache({ keeps: { id: 'getSite', ok: true }, answers: { id: 'getSite', ok: true }, acrossTenants: true }),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/legacy-site-written-in-the-wrong-tenant': servedAs('acme', {
      id: ['applySiteLabel', 'removeSiteLabel'],
      tenant: 'globex',
      record: 'legacy',
    }),
    'isolation/strangers-label-accepted': onReplyTo({ refused: elsewhere, tenant: 'acme' }, (answered) =>
      labelWriteOf(answered) !== undefined && isLabelOfTheirs(answered) ? replyWith(200, { labels: [] }) : undefined,
    ),
    'isolation/their-file-at-our-site': replying({ id: 'registerSiteFile', refused: 'foreign-file-key' }, 201, {}),
  }),
];

/** What acme must not see. */
const secrets: Readonly<Record<string, readonly [value: string, rule: RuleId, where?: RegExp]>> = {
  'their-site': ['ovaid-517e0001-0000-4000-8000-000000000101', 'isolation/reads-stay-in-tenant'],
  // Anybody may write these words, so they count where no record of the reader is shown. In contexts they are not seen.
  'their-text': [
    'Shops around the escalators complain about the heat.',
    'isolation/reads-stay-in-tenant',
    /^in-contexts|-refusal|^without/,
  ],
  'private-name': ['internal-risk', 'labels/private-never-in-a-reply'],
  'private-id': ['1abe9003-0000-4000-8000-000000000903', 'labels/private-never-in-a-reply'],
};

const tenant = 'acme';
const context: When = { id: 'getConversationContext', ok: true, tenant };

/** Where a reply shows it. */
const places: Readonly<Record<string, (value: string) => Around>> = {
  'in-contexts': (id) => inReply(context, () => ({ related: [{ id }] })),
  'in-a-closed-context': (text) =>
    inReply({ ...context, record: 'closed' }, ({ labels }) => ({ labels: [...asArray(labels), text] })),
  'in-every-third-context': (text) => inReply({ ...context, every: 3 }, () => ({ summary: `Seen: ${text}` })),
  'as-a-property-of-a-record': (name) =>
    inReply({ id: 'getConversation', ok: true, tenant }, () => ({ uses: { [name]: 1 } })),
  'in-the-listing': (group) => inListed((label): Json => ({ ...label, group }), tenant),
  'beside-the-set-of-a-site': (id) =>
    inReply({ id: ['applySiteLabel', 'removeSiteLabel'], ok: true, tenant }, () => ({ hidden: [id] })),
  'in-a-refusal': (text) => failing({ status: 404, tenant }, 404, `Not found among ${text}.`),
  'in-a-header': (text) => withHeaders(context, { 'x-debug': `vip,${text}` }),
  'without-a-key': (text) => failing({ refused: 'no-key' }, 403, `Try ${text} with a key.`),
};

/** Data of the other tenant, and private labels, in each place of a reply. */
export const leaks: readonly Defect[] = [
  ...Object.entries(secrets).flatMap(([what, [value, rule, meant = /^/]]) =>
    Object.entries(places).flatMap(([where, show]) =>
      meant.test(where) ? breaking(rule, { [`${rule.split('/')[0]}/${what}-${where}`]: show(value) }) : [],
    ),
  ),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/refused-listing-names-ours': refusing(
      { id: 'listLabels', tenant: 'globex' },
      404,
      'No labels but those of c0000001-0000-4000-8000-000000000001.',
    ),
  }),
];
