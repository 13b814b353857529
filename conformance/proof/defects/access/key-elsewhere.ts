import { replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import type { Asked } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { doneAnyway } from '../../tampering/label-write.ts';
import { type AskedWhen, failing, onReplyTo, servedAs, withoutKey } from '../../tampering/when.ts';

const isAcmesSecret = (text: string | null | undefined, { mock }: Asked) =>
  mock.keys.recognise(decodeURIComponent(text ?? ''))?.tenant === 'acme';

/** Accepts the secret of a key that the Authorization header holds in this form. */
const takenFrom = (authorization: RegExp, when: AskedWhen = {}) =>
  servedAs('acme', {
    ...when,
    authorization,
    where: (asked) => isAcmesSecret(asked.request.headers.authorization?.match(authorization)?.[1], asked),
  });

/** Accepts the secret of a key in this parameter of the query string. */
const takenFromQuery = (name: string, where: (asked: Asked) => boolean = () => true) =>
  servedAs('acme', {
    ...withoutKey,
    where: (asked) =>
      where(asked) && isAcmesSecret(new URLSearchParams(asked.request.url.split('?')[1] ?? '').get(name), asked),
  });

/** Keys count in another place than x-api-key, or are not answered 403 there. */
export const keyElsewhere: readonly Defect[] = [
  ...breaking('auth/bearer-is-not-supported', {
    'auth/bearer-401': [
      'answers a Bearer token in place of a key with 401',
      failing({ refused: /./, secret: /^$/, authorization: /^Bearer / }, 401),
    ],
    'auth/bearer-accepted-for-uploads': [
      'takes a Bearer token where an upload is started, and nowhere else',
      takenFrom(/^Bearer (.*)$/, { id: 'startSiteFileUpload' }),
    ],
    'auth/bearer-is-served-nothing': [
      'answers a Bearer token with an empty 200',
      onReplyTo({ refused: 'bearer-only' }, () => replyWith(200, {})),
    ],
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
    'auth/basic-401': [
      'answers Basic credentials in place of a key with 401',
      failing({ refused: /./, secret: /^$/, authorization: /^Basic / }, 401),
    ],
    'auth/key-in-query-accepted': ['takes the key from the query string as well', takenFromQuery('x-api-key')],
    'auth/api-key-in-query-accepted': [
      'takes the key from the query string under the name api_key, for reads',
      takenFromQuery('api_key', ({ request }) => request.method === 'GET'),
    ],
    'auth/key-in-cookie-accepted': [
      'takes the key from a cookie as well',
      servedAs('acme', {
        where: (asked) => isAcmesSecret(/x-api-key=([^;]+)/.exec(asked.request.headers.cookie ?? '')?.[1], asked),
      }),
    ],
    'auth/bare-authorization-accepted': [
      'takes the key from the Authorization header without a scheme',
      takenFrom(/^(.*)$/),
    ],
    'auth/api-key-scheme-accepted': [
      'takes the key from the Authorization header with the scheme ApiKey',
      takenFrom(/^ApiKey (.*)$/i),
    ],
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
      doneAnyway({ refused: /./, id: 'removeConversationLabel', url: /[?&]api_key=/ }, 'acme'),
    ],
  }),
];
