import { asArray, errorWith, replyWith } from '../../../mock/proof/tampering/json-value.ts';
import { type Asked, as, bytesOf, instead } from '../../../mock/proof/tampering/tamper.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import {
  alsoAfter,
  carried,
  drop,
  knowing,
  type LabelWrite,
  labelWriteOf,
  onWrite,
  privateLabelsOf,
  put,
  wasCarried,
} from '../tampering/label-write.ts';
import { usable } from '../tampering/predicates.ts';
import {
  bodyOf,
  failing,
  inReply,
  onReplyTo,
  readingBody,
  readingUrl,
  refusing,
  withStatus,
} from '../tampering/when.ts';

/** Refuses bytes of such a type. */
const storing = (type: RegExp) =>
  refusing({ id: 'storage', where: ({ request }) => type.test(request.headers['content-type'] ?? '') }, 403);

/** Whether a label is none of the spare labels of the tenant under test. */
const isFromInside = ({ label, tenant }: LabelWrite) => tenant.name === 'acme' && !/^1abe100[89]/.test(label?.id ?? '');

const typeAsked = (asked: Asked) => String(bodyOf(asked).contentType);

/** Faults that only rare requests or some keys show. */
export const rareAsks: readonly Defect[] = [
  ...breaking('upload/url-lives-five-minutes', {
    'upload/lives-longer-for-video': [
      'gives uploads of video an hour',
      inReply(
        { id: 'startSiteFileUpload', ok: true, where: (answered) => typeAsked(answered).startsWith('video/') },
        (_, { mock }) => ({ uploadUrlExpiresAt: new Date(mock.clock.now() + 3_600_000).toISOString() }),
      ),
    ],
  }),
  ...breaking('upload/start-is-201', {
    'upload/breaks-for-parameters': [
      'answers 500 where the content type has parameters',
      refusing({ id: 'startSiteFileUpload', usable: true, where: (asked) => typeAsked(asked).includes(';') }, 500),
    ],
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/breaks-for-large-numbers': [
      'answers 500 where a site id is a number that is too large',
      refusing(
        { id: 'startSiteFileUpload', usable: true, where: ({ params }) => /^\d{12,}$/.test(params.id ?? '') },
        500,
      ),
    ],
    'upload/site-id-is-a-pattern': [
      'finds a site by LIKE, where the id has a wildcard for its last character',
      readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})_(?=\/file\/upload-url)/, '$11'),
    ],
    'upload/any-site-by-pattern': [
      'finds a site by LIKE, where the id is nothing but a wildcard',
      readingUrl(/^(\/v1\/site\/)%25(?=\/file\/upload-url)/, '$110042'),
    ],
    'upload/site-id-with-a-tail': [
      'reads a bare site id as far as it is a number',
      readingUrl(/^(\/v1\/site\/\d+)[^\d/][^/]*(?=\/file\/upload-url)/, '$1'),
    ],
  }),
  ...breaking('upload/content-type-is-required', {
    'upload/empty-list-of-types': [
      'takes an empty list for a missing contentType, and then a usual type',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/"contentType":\[\]/, '"contentType":"a/b"')),
    ],
    'upload/array-of-a-type': [
      'takes the items of an array for the properties of an object, in their order',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/^\[("[^"]*")\]$/, '{"contentType":$1}')),
    ],
    'upload/json-in-a-string': [
      'reads JSON out of a string',
      readingBody({ id: 'startSiteFileUpload' }, (text) => {
        const json = jsonOrUndefined(text);
        return typeof json === 'string' && json.startsWith('{') ? json : text;
      }),
    ],
  }),
  ...breaking('upload/unknown-site-is-404', {
    'upload/site-id-cut-off': [
      'finds a site by the beginning of its id',
      readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})(?=\/file\/upload-url)/, '$11'),
    ],
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/signature-fails-for-a-plus': ['signs types with a plus wrongly', storing(/\+/)],
    'upload/signature-fails-for-capitals': ['signs types with capitals wrongly', storing(/[A-Z]/)],
    'upload/signature-fails-for-long-types': ['signs types of more than 60 characters wrongly', storing(/.{61}/)],
  }),
  ...breaking('upload/no-additional-properties', {
    'upload/additional-that-all-objects-have': [
      'accepts additional properties that every object has',
      readingBody({ id: 'startSiteFileUpload' }, (text) =>
        text.replace(/,"(constructor|__proto__)":("a"|\{[^}]*\})/, ''),
      ),
    ],
    'upload/additional-without-a-name': [
      'accepts an additional property whose name is empty',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/,"":"[^"]*"/, '')),
    ],
    'upload/additional-more-than-ten': [
      'looks for additional properties only among few',
      readingBody({ id: 'startSiteFileUpload' }, (text) => text.replace(/(,"a\d+":\d+){10,}/, '')),
    ],
    'upload/additional-in-other-case': [
      'compares names of properties without their case, so that ContentType may stand beside contentType',
      readingBody({ id: 'startSiteFileUpload' }, (text) =>
        text.includes('"contentType"') ? text.replace(/,?\s*"ContentType":\s*"[^"]*"\s*(?=\})/, '') : text,
      ),
    ],
  }),
  ...breaking('upload/register-takes-file-key', {
    'upload/large-file-breaks-registration': [
      'answers 500 whenever a file of more than 10 MB is registered',
      (scene) => {
        const large = new Set<string>();
        const keyIn = (url: string) =>
          /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(url.split('?')[0] ?? '')?.[0] ?? '';
        const isLarge = (asked: Asked) => {
          if (asked.id === 'storage' && bytesOf(asked.request).length > 10 * 1024 * 1024)
            large.add(keyIn(asked.request.url));
          return asked.id === 'registerSiteFile' && large.has(String(bodyOf(asked).fileKey));
        };
        return refusing({ where: isLarge }, 500)(scene);
      },
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/file-at-a-site-of-the-other': [
      "registers a tenant's own file at a site of the other one",
      onReplyTo({ id: 'registerSiteFile', refused: 'foreign-site', where: ({ key }) => key }, () =>
        replyWith(201, { fileKey: crypto.randomUUID() }),
      ),
    ],
  }),
  ...breaking('labels/private-never-in-a-reply', {
    'labels/private-listed-to-a-query': [
      'lists private labels where includePrivate is asked for',
      inReply(
        { id: 'listLabels', ok: true, tenant: 'acme', where: ({ request }) => request.url.includes('includePrivate') },
        ({ labels }, { mock }) => ({ labels: [...asArray(labels), ...privateLabelsOf(mock, 'acme')] }),
      ),
    ],
  }),
  ...breaking('labels/apply-adds', {
    'labels/holder-by-pattern': [
      'looks sites up by LIKE where labels are written',
      readingUrl(/^(\/v1\/site\/ovaid-[\w-]{35})_(?=\/label\/)/, '$11'),
    ],
    'labels/not-stored-with-a-body': [
      'answers as it should where a label is applied with a body, and stores nothing',
      alsoAfter(({ does }, { request }) => does === 'apply' && request.body !== null, drop),
    ],
  }),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/sites-in-any-spelling': [
      'looks a site up by its id alone where the id is in capitals',
      instead((asked) => {
        if (asked.id !== 'getSite' && !/^\/v1\/site\/OVAID-/.test(asked.request.url)) return undefined;
        if (!usable(asked) || !asked.request.url.includes('OVAID-')) return undefined;
        const url = asked.request.url.toLowerCase();
        return asked.ask(as(asked.mock, { ...asked.request, url }, url.includes('000000000101') ? 'globex' : 'acme'));
      }),
    ],
    'isolation/record-by-pattern': [
      'looks a conversation up by LIKE, whoever it belongs to, where the id is nothing but a wildcard',
      instead((asked) => {
        if (!usable(asked) || !/^\/v1\/conversation\/%25(\/context)?$/.test(asked.request.url)) return undefined;
        const url = asked.request.url.replace('%25', 'c0000001-0000-4000-8000-000000000001');
        return asked.ask(as(asked.mock, { ...asked.request, url }, 'acme'));
      }),
    ],
  }),
  ...breaking('labels/membership-is-a-set', {
    'labels/label-by-pattern': ['removes labels by LIKE', readingUrl(/(\/label\/1abe1[\w-]{30})_$/, '$18')],
  }),
  ...breaking('labels/remove-removes', {
    'labels/not-removed-with-authorization': [
      'answers as it should where a label is removed with Authorization beside the key, and stores nothing',
      alsoAfter(({ does }, { request }) => does === 'remove' && request.headers.authorization !== undefined, put),
    ],
  }),
  ...breaking('context/strings', {
    'context/number-with-authorization': [
      'answers a number as the subject where Authorization stands beside the key',
      inReply({ id: 'getConversationContext', ok: true, authorization: /./ }, () => ({ subject: 7 })),
    ],
  }),
  ...breaking('upload/target-file-key', {
    'upload/no-file-key-with-a-query': [
      'answers a start without a fileKey where the path has a query',
      inReply({ id: 'startSiteFileUpload', ok: true, where: ({ request }) => request.url.includes('?') }, () => ({
        fileKey: undefined,
      })),
    ],
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/carried-from-inside-is-409': [
      'answers 409 where a label that the product has put on a record is applied again',
      knowing(wasCarried, (was) =>
        onWrite(
          (write) => write.does === 'apply' && was() && isFromInside(write),
          () => errorWith(409, 'CONFLICT'),
        ),
      ),
    ],
    'labels/carried-from-inside-is-toggled': [
      'removes a label that the product has put on a record where it is applied again',
      knowing(wasCarried, (was) => alsoAfter((write) => write.does === 'apply' && was() && isFromInside(write), drop)),
    ],
    'labels/applied-again-is-304': [
      'answers 304 where a label that a conversation carries is applied',
      instead((asked) => {
        const write = asked.id === 'applyConversationLabel' ? labelWriteOf(asked) : undefined;
        const isRepeated = write !== undefined && carried(write) && asked.key?.scopes.has('conversation:write');
        return isRepeated ? { status: 304, headers: {}, body: null } : undefined;
      }),
    ],
  }),
  ...breaking('context/get-answers-context', {
    'context/unknown-is-200': [
      'answers 200 with an error inside for the context of a conversation that nobody has',
      withStatus({ id: 'getConversationContext', where: ({ refused }) => refused?.startsWith('unknown-') }, 200),
    ],
    'context/breaks-for-narrow-keys': [
      'answers 500 for a context to keys with a single scope',
      refusing({ id: 'getConversationContext', where: ({ key }) => key?.scopes.size === 1 }, 500),
    ],
  }),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/missing-breaks': [
      'answers 500 to a key without any scope, in place of 403',
      failing({ refused: 'missing-scope', where: ({ key }) => key?.scopes.size === 0 }, 500),
    ],
  }),
];
