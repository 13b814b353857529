import type { OperationId } from '../../spec/operations.ts';
import { type CallOptions, type Check, type CheckContext, check } from '../check.ts';
import { expectStatus, expectThat, statusOf } from '../expect.ts';
import type { FactName } from '../facts.ts';
import { Unexpected } from '../outcome.ts';
import { keysByOperation } from '../prepare.ts';
import { type Reply, succeeded } from '../reply.ts';
import { type BadRequest, badRequests, replyTo } from './bad-requests.ts';
import { endpointReplies } from './endpoint-replies.ts';
import { errorBodyProblem, errorCode, isGatewayBody, refusalPatch } from './error-body.ts';
import { legalCall } from './legal-calls.ts';
import { routing } from './routing.ts';

/** Answered by whatever stands in front of the service: over the rate, too large, unavailable. */
const gatewayStatuses = [413, 429, 502, 503, 504];

/** The bad request as a check: what it needs, and its reply. */
const declared = ({ id, needs, locks }: BadRequest) => ({
  needs,
  uses: [id],
  ...(locks && { locks, writes: 'labels' as const }),
});

/** What is wrong with an error reply's body; null where nothing is, and where it is not the service's own to give. */
function problemOf(reply: Reply, { deployment, replies }: Pick<CheckContext, 'deployment' | 'replies'>): string | null {
  const { status, exchange } = reply;
  const operation = deployment.operations.find(({ id }) => id === exchange.operationId);
  const isRouted = () =>
    replies().some((other) => succeeded(other) && other.exchange.operationId === exchange.operationId);
  // Where method and path are assumed this may be a router's word for an operation that is somewhere else.
  if ([404, 405].includes(status) && operation?.provenance.address !== 'documented' && !isRouted()) return null;
  if (reply.planned || status < 400 || gatewayStatuses.includes(status)) return null;
  // What a gateway says of a key or a media type, in its way, is a should of its own.
  if ((status === 403 || status === 415) && isGatewayBody(reply)) return null;
  if (status === 403 && !isEntitled(exchange.key, exchange.operationId, deployment)) return null;
  return errorBodyProblem(reply);
}

/** Whether the request came with a key and all its scopes, so that no gateway had a reason to refuse it. */
function isEntitled(
  name: string | null,
  id: Reply['exchange']['operationId'],
  { tenant, stranger, operation }: CheckContext['deployment'],
): boolean {
  const needed = id === null || id === 'storage' ? [] : (operation(id)?.scopes ?? []);
  const keys = [tenant, stranger].flatMap((owner) =>
    (owner?.keys ?? []).map((key) => ({ ...key, name: `${owner?.name}/${key.name}` })),
  );
  const key = keys.find((one) => one.name === name && !one.revoked);
  return key !== undefined && needed.every((scope) => key.scopes.includes(scope));
}

/** Lawful requests of operations whose address is assumed: their success shows that a refusal is the operation's own. */
const lawful: Partial<Record<OperationId, Pick<BadRequest, 'needs' | 'options' | 'locks'>>> = {
  getClient: { needs: ['client'], options: ({ client }) => ({ params: { id: client } }) },
  removeConversationLabel: {
    needs: ['openConversation', 'spareLabel'],
    options: ({ openConversation, spareLabel }) => ({ params: { id: openConversation, labelId: spareLabel.id } }),
    locks: ['openConversation'],
  },
  removeClientSiteLabel: {
    needs: ['link', 'spareLabel'],
    options: ({ link, spareLabel }) => ({ params: { ...link, labelId: spareLabel.id } }),
    locks: ['link'],
  },
};

const bodies = badRequests.map((bad) => {
  const control = lawful[bad.id];
  return check({
    ...declared({ ...bad, ...(control?.locks && { locks: control.locks }) }),
    id: `errors/body/${bad.refusal}`,
    rule: 'errors/body',
    title: `the refusal of ${bad.words} carries the error body`,
    needs: [...new Set([...bad.needs, ...(control?.needs ?? [])])],
    after: 'everything',
    async run(context) {
      const { call, given, newId, shared, observe } = context;
      if (control !== undefined) await shared(`lawful/${bad.id}`, () => call(bad.id, control.options(given, newId)));
      const reply = await replyTo(context, bad);
      if (reply.status < 400) observe(`no refusal to judge: answered ${reply.status}`);
      const problem = problemOf(reply, context);
      expectThat(reply, problem === null, 'the error body: error.code and error.message', problem ?? '');
    },
  });
});

const nothing: readonly FactName[] = [];

const everyBody = check({
  id: 'errors/body/every-reply',
  needs: nothing,
  rule: 'errors/body',
  title: 'every error reply of the run carries the error body, those of gateways and storage aside',
  uses: ['getConversationContext', 'startSiteFileUpload'],
  after: 'everything',
  async run(context) {
    // Alone too this check has something to judge.
    for (const bad of badRequests.filter(({ needs, fault }) => needs.length === 0 && fault !== 'foreign')) {
      if (bad.id === 'getConversationContext' || bad.id === 'startSiteFileUpload') await replyTo(context, bad);
    }
    const replies = endpointReplies(context.replies(), context.deployment).filter(({ status }) => status >= 400);
    for (const reply of replies) {
      const problem = problemOf(reply, context);
      if (problem !== null) throw new Unexpected('the error body', `${problem}: ${statusOf(reply)}`);
    }
    context.observe(`${replies.length} error replies judged`);
  },
});

const statuses = badRequests.map((bad) => {
  const malformed = bad.fault === 'form';
  return check({
    ...declared(bad),
    id: malformed ? `errors/invalid/${bad.refusal}` : `errors/unknown/${bad.refusal}`,
    rule: malformed ? 'errors/invalid-request-is-400' : 'errors/unknown-is-404',
    title: `the status for ${bad.words}`,
    async run(context) {
      const reply = await replyTo(context, bad);
      context.observe(`answered ${reply.status} ${errorCode(reply) ?? ''}`.trim(), refusalPatch(bad.refusal, reply));
      const expected = malformed ? [400] : bad.fault === 'foreign' ? [404, 403] : [404];
      expectStatus(reply, expected, bad.words);
    },
  });
});

const usualCodes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
  500: 'INTERNAL_SERVER_ERROR',
};

const codes = check({
  id: 'errors/codes/every-reply',
  needs: nothing,
  rule: 'errors/codes',
  title: 'which codes go with which statuses',
  uses: ['getConversationContext'],
  after: 'everything',
  async run(context) {
    const unknown = badRequests.find(({ refusal }) => refusal === 'unknown-conversation');
    if (unknown !== undefined) await replyTo(context, unknown);
    const seen = new Map<number, Set<string>>();
    for (const reply of context.replies()) {
      const code = errorCode(reply);
      if (code === undefined || reply.status < 400) continue;
      seen.set(reply.status, (seen.get(reply.status) ?? new Set()).add(code));
    }
    const found = [...seen]
      .sort(([a], [b]) => a - b)
      .map(([status, set]) => `${status} ${[...set].sort().join(' or ')}`);
    context.observe(found.join(', ') || 'no codes seen');
    const odd = [...seen].some(([status, set]) => [...set].some((code) => code !== usualCodes[status]));
    if (odd && !context.planning) throw new Unexpected('one code for each status, named after it', found.join(', '));
  },
});

const declaredStatuses = [400, 401, 403, 404, 422, 500];
/** What a gateway answers in place of the operation, whose own it is not to declare. */
const asides = [...gatewayStatuses, 415];

const isDeclared = ({ status, planned }: Reply) =>
  planned || status < 400 || asides.includes(status) || declaredStatuses.includes(status);

interface Refused {
  readonly slug: string;
  readonly options: (context: CheckContext, options: CallOptions) => CallOptions;
}

const start = legalCall('startSiteFileUpload');

const refusedStarts: readonly Refused[] = [
  { slug: 'no-key', options: (_, options) => ({ ...options, as: null }) },
  {
    slug: 'unknown-key',
    options: ({ newId, deployment }, options) => {
      const key = keysByOperation(deployment)(start.id);
      return {
        ...options,
        as: key === undefined ? null : { ...key, name: 'unknown', secret: newId() },
      };
    },
  },
  { slug: 'null-content-type', options: (_, options) => ({ ...options, body: { contentType: null } }) },
  { slug: 'text-body', options: (_, options) => ({ ...options, body: '"text/plain"' }) },
];

const uploadStatuses: readonly Check[] = [
  ...badRequests
    .filter(({ id }) => id === start.id)
    .map((bad) =>
      check({
        ...declared(bad),
        id: `errors/upload-statuses/${bad.refusal}`,
        rule: 'errors/upload-statuses-are-declared',
        title: `the status for ${bad.words} is one that upload-url declares`,
        run: async (context) => expectDeclared(await replyTo(context, bad)),
      }),
    ),
  ...refusedStarts.map(({ slug, options }) =>
    check({
      id: `errors/upload-statuses/${slug}`,
      rule: 'errors/upload-statuses-are-declared',
      title: `the status for ${slug.replaceAll('-', ' ')} is one that upload-url declares`,
      needs: start.needs,
      uses: [start.id],
      async run(context) {
        const lawful = start.options(context.given, context.newId);
        expectDeclared(await context.call(start.id, options(context, lawful)));
      },
    }),
  ),
  check({
    id: 'errors/upload-statuses/every-reply',
    needs: nothing,
    rule: 'errors/upload-statuses-are-declared',
    title: 'every refusal of upload-url in the run has a status that it declares',
    uses: [start.id],
    after: 'everything',
    async run(context) {
      const unknown = badRequests.find(({ refusal }) => refusal === 'unknown-site');
      if (unknown !== undefined) await replyTo(context, unknown);
      for (const reply of endpointReplies(context.replies(), context.deployment)) {
        if (reply.exchange.operationId === start.id) expectDeclared(reply);
      }
    },
  }),
];

function expectDeclared(reply: Reply): void {
  const expected = `success or one of ${declaredStatuses.join(', ')}`;
  expectThat(reply, isDeclared(reply), expected, `answered ${reply.status}`);
}

/** How requests are refused: the body always, statuses where they are documented; the rest is observed. */
export const errors: readonly Check[] = [...bodies, everyBody, ...statuses, codes, ...uploadStatuses, ...routing];
