import type { RefusalCase } from '../../spec/files/profile-schema.ts';
import { operations } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type CallOptions, type Check, type CheckContext, check } from '../check.ts';
import { expectControl, expectRefusal, expectStatus, expectThat, statusOf } from '../expect.ts';
import { Inconclusive } from '../outcome.ts';
import { keysByOperation } from '../prepare.ts';
import type { Reply } from '../reply.ts';
import type { KeyNeed, KeyOfTenant } from '../target/keys.ts';
import { errorBodyProblem, refusalPatch } from './error-body.ts';
import { controlled, type LegalCall, labelPlaces, legalCall, legalCalls } from './legal-calls.ts';
import { refusedLabelWrites } from './refused-label-writes.ts';

/** A way of calling that must not authenticate. */
interface Way {
  readonly slug: string;
  readonly rule: RuleId;
  readonly words: string;
  /** Keys of the target file that only this way needs. */
  readonly keys?: Readonly<Record<string, KeyNeed>>;
  /** @param key the one that would get through, sent as it should be */
  readonly refused: (context: CheckContext, key: KeyOfTenant) => CallOptions;
  /** The status is documented: 403. Elsewhere it is only said that this does not authenticate. */
  readonly is403: boolean;
}

const ways: readonly Way[] = [
  {
    slug: 'no-key',
    rule: 'auth/no-key-is-403',
    words: 'a request without a key',
    refused: () => ({ as: null }),
    is403: true,
  },
  {
    slug: 'empty-key',
    rule: 'auth/no-key-is-403',
    words: 'a request whose x-api-key is empty',
    refused: () => ({ as: null, headers: { 'x-api-key': '' } }),
    is403: true,
  },
  {
    slug: 'unknown-key',
    rule: 'auth/unknown-key-is-403',
    words: 'a request with a key that nobody has',
    refused: ({ newId }, key) => ({ as: unknownKey(key, newId()) }),
    is403: true,
  },
  {
    slug: 'revoked-key',
    rule: 'auth/revoked-key-is-403',
    words: 'a request with a revoked key',
    keys: { revoked: { revoked: true } },
    refused: ({ keys }) => ({ as: keys.revoked ?? missingKey() }),
    is403: true,
  },
  {
    slug: 'bearer',
    rule: 'auth/bearer-is-not-supported',
    words: 'a request whose key is a Bearer token',
    refused: (_, { secret }) => ({ as: null, headers: { authorization: `Bearer ${secret}` } }),
    is403: false,
  },
  {
    slug: 'key-in-query',
    rule: 'auth/header-is-required',
    words: 'a request whose key is in the query string',
    refused: (_, { secret }) => ({ as: null, query: queryWith(secret) }),
    is403: false,
  },
];

/** Named so that evidence tells it from the key that it stands in for. */
const unknownKey = (key: KeyOfTenant, secret: string): KeyOfTenant => ({ ...key, name: 'unknown', secret });

/** Under each of the names that people give such a parameter. */
const queryWith = (secret: string) =>
  `?${['x-api-key', 'api_key', 'apiKey', 'key'].map((name) => `${name}=${encodeURIComponent(secret)}`).join('&')}`;

/** Judges a reply to such a request. */
function refusedIn({ words, is403 }: Way) {
  return (reply: Reply, what?: string) => {
    const why = `${words}${what === undefined ? '' : `, ${what},`} does not get through`;
    if (is403) expectStatus(reply, [403], why);
    else expectRefusal(reply, why);
  };
}

/** Every operation in every way that must not authenticate, each beside the same request with its key. */
const refusals: readonly Check[] = ways.flatMap((way): Check[] => {
  const expectRefused = refusedIn(way);
  return [
    ...legalCalls.map((legal) =>
      check({
        id: `auth/${way.slug}/${legal.slug}`,
        rule: way.rule,
        title: `${way.words} is refused: ${operations[legal.id].summary.toLowerCase()}`,
        needs: legal.needs,
        uses: [legal.id],
        ...(way.keys && { keys: way.keys }),
        async run(context) {
          if (!(await controlled(context, legal))) return;
          const options = legal.options(context.given, context.newId);
          const key = keysByOperation(context.deployment)(legal.id) ?? missingKey();
          const reply = await context.call(legal.id, { ...options, ...way.refused(context, key) });
          expectRefused(reply);
          if (legal.neverSucceeds) await expectUnlikeLawful(context, legal, reply);
        },
      }),
    ),
    ...labelPlaces.map((place) =>
      check({
        id: `auth/${way.slug}/${place.slug}-labels`,
        rule: way.rule,
        title: `${way.words} puts no label on a ${place.slug} and takes none off`,
        needs: [place.fact, 'spareLabel'],
        uses: [place.apply, place.remove, 'listLabels'],
        ...(way.keys && { keys: way.keys }),
        locks: [place.fact],
        writes: 'labels',
        async run(context) {
          const key = keysByOperation(context.deployment)(place.apply);
          const refused = way.refused(context, key ?? missingKey());
          await refusedLabelWrites(context, place, { refused, expectRefused });
        },
      }),
    ),
  ];
});

/** Where not even the key brings success, a reply like the one that it brings shows that the request got through. */
async function expectUnlikeLawful(
  { call, given, newId, shared }: CheckContext,
  legal: LegalCall,
  reply: Reply,
): Promise<void> {
  const lawful = await shared(`legal/${legal.slug}`, () => call(legal.id, legal.options(given, newId)));
  const refused = [401, 403].includes(reply.status) || reply.status !== lawful.status;
  expectThat(reply, refused, 'no reply like the one to a valid key', `answered ${reply.status} like one`);
}

/** Of what a check lists under `uses` there always is a key. */
function missingKey(): never {
  throw new Error('a check was run without the key that it needs');
}

const context = legalCall('getConversationContext');

/** A key in one more place where it might be looked for. */
const elsewhere = [
  {
    slug: 'key-in-cookie',
    words: 'a cookie',
    headers: (secret: string) => ({ cookie: `x-api-key=${secret}; api_key=${secret}` }),
  },
  {
    slug: 'key-as-authorization',
    words: 'the Authorization header without a scheme',
    headers: (secret: string) => ({ authorization: secret }),
  },
].map(({ slug, words, headers }) =>
  check({
    id: `auth/${slug}/context`,
    rule: 'auth/header-is-required',
    title: `a key in ${words} does not replace the x-api-key header`,
    needs: context.needs,
    uses: [context.id],
    async run(running) {
      await controlled(running, context);
      const { secret } = keysByOperation(running.deployment)(context.id) ?? missingKey();
      const options = context.options(running.given, running.newId);
      const reply = await running.call(context.id, { ...options, as: null, headers: headers(secret) });
      expectRefusal(reply, `a key in ${words} does not authenticate`);
    },
  }),
);

/** Valid keys get through, each for something that the specification says its scopes allow. */
const valid: readonly Check[] = [
  check({
    id: 'auth/valid-key/context',
    rule: 'auth/key-in-x-api-key',
    title: 'every key with conversation:read authenticates, that of the other tenant for its own conversation too',
    needs: ['openConversation'],
    uses: ['getConversationContext'],
    async run({ call, given, deployment }) {
      const { tenant, stranger } = deployment;
      const sets = [
        { owner: tenant, id: given.openConversation },
        { owner: stranger, id: stranger?.conversations?.open },
      ];
      for (const { owner, id } of sets) {
        for (const key of owner?.keys ?? []) {
          if (id === undefined || owner === undefined || key.revoked || key.use) continue;
          if (!key.scopes.includes('conversation:read')) continue;
          const reply = await call('getConversationContext', { params: { id }, as: { ...key, tenant: owner.name } });
          expectAuthenticated(reply, `${owner.name}/${key.name}`);
        }
      }
    },
  }),
  check({
    id: 'auth/valid-key/upload-start',
    rule: 'auth/key-in-x-api-key',
    title: 'a key with siteFile:write authenticates a request with a body',
    needs: ['site'],
    uses: ['startSiteFileUpload'],
    keys: { valid: { scopes: ['siteFile:write'] } },
    async run({ call, given, keys }) {
      const body = { contentType: 'text/plain' };
      const reply = await call('startSiteFileUpload', { params: { id: given.site }, body, as: keys.valid });
      expectAuthenticated(reply, keys.valid.name);
    },
  }),
];

function expectAuthenticated(reply: Reply, key: string): void {
  const refused = reply.status === 401 || reply.status === 403;
  expectThat(reply, !refused, `the valid key ${key} authenticates`, `it was refused with ${reply.status}`);
  expectControl(reply, 'a lawful request');
}

interface ForbiddenWay {
  readonly slug: string;
  readonly refusal: RefusalCase;
  readonly keys?: Readonly<Record<string, KeyNeed>>;
  readonly refused: (context: CheckContext) => CallOptions;
}

/** Ways to be answered 403 by whatever stands in front of the service. */
const forbiddenWays: readonly ForbiddenWay[] = [
  { slug: 'no-key', refusal: 'no-key', refused: () => ({ as: null }) },
  {
    slug: 'unknown-key',
    refusal: 'unknown-key',
    refused: ({ newId, deployment }) => ({
      as: unknownKey(keysByOperation(deployment)(context.id) ?? missingKey(), newId()),
    }),
  },
  {
    slug: 'revoked-key',
    refusal: 'revoked-key',
    keys: { revoked: { revoked: true } },
    refused: ({ keys }) => ({ as: keys.revoked ?? missingKey() }),
  },
  {
    slug: 'missing-scope',
    refusal: 'missing-scope',
    keys: { lacking: { lacks: 'conversation:read' } },
    refused: ({ keys }) => ({ as: keys.lacking ?? missingKey() }),
  },
];

const forbidden = forbiddenWays.map(({ slug, refusal, keys, refused }) =>
  check({
    id: `auth/forbidden-body/${slug}`,
    rule: 'auth/forbidden-has-the-error-body',
    title: `the 403 for ${slug === 'missing-scope' ? 'a missing scope' : slug.replace('-', ' ')} carries the error body`,
    needs: context.needs,
    uses: [context.id],
    ...(keys && { keys }),
    async run(running) {
      const options = context.options(running.given, running.newId);
      const reply = await running.call(context.id, { ...options, ...refused(running) });
      if (!reply.planned && reply.status !== 403)
        throw new Inconclusive(`there is no 403 to judge: ${statusOf(reply)}`);
      running.observe(`answered ${statusOf(reply)}`, refusalPatch(refusal, reply));
      const problem = errorBodyProblem(reply);
      expectThat(reply, problem === null, 'the error body', problem ?? '');
    },
  }),
);

/** The key and where it stands. Pairs: with the key the request succeeds, so that its refusal without is the key's doing. */
export const auth: readonly Check[] = [...refusals, ...elsewhere, ...valid, ...forbidden];
