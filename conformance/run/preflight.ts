import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId, Scope } from '../../spec/operations.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { lawfulAsks } from '../situations/asking/lawful.ts';
import { type Ask, type Scene, Stopped } from '../situations/asking/situation.ts';
import type { Deployment } from '../target/deployment.ts';
import { labelOperations } from '../target/holder.ts';
import { type KeyOfTenant, keyFor, keyPlacesOf, keysWith } from '../target/keys.ts';
import { spareLabelProblems } from './spare-labels.ts';

/** Nothing can be judged, because baseUrl does not reply or is not the address of this API. */
export class PreflightError extends Error {
  constructor(message: string) {
    // The message may quote a reply, which may hold control characters.
    super(terminalLine(message));
  }
}

/** The target file does not describe the deployment. */
export class UntrueTarget extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => terminalLine(problem));
    super(`the target file does not describe the deployment:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.problems = lines;
  }
}

type Asking = Pick<Scene, 'send' | 'newId'>;

/**
 * Checks that the API is at baseUrl, and that each key, id and label of the target file exists.
 * @throws PreflightError in one sentence: what was tried, what came back, what to do
 * @throws UntrueTarget with fields and replies. A reply that a broken deployment could explain as well is no problem of the target file
 */
export async function preflight(deployment: Deployment, scene: Asking): Promise<void> {
  await assertReachable(deployment, scene);
  const problems: string[] = [];
  for (const check of [
    keyProblems,
    recordProblems,
    strangerProblems,
    sharedIdProblems,
    spareLabelProblems,
    uploadTypeProblems,
  ])
    problems.push(...(await lasting(() => check(deployment, scene))));
  if (problems.length > 0) throw new UntrueTarget(problems);
}

/** How often a check that has found problems is repeated. */
const repeats = 3;

/** Problems that are found each time: a deployment that answers now so and now otherwise is to be judged, and a target file is always wrong. */
async function lasting(check: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const fieldOf = (problem: string) => problem.slice(0, problem.indexOf(': '));
  let problems = await check();
  for (let i = 0; i < repeats && problems.length > 0; i++) {
    const again = new Set((await check()).map(fieldOf));
    problems = problems.filter((problem) => again.has(fieldOf(problem)));
  }
  return problems;
}

const probes = ['listLabels', 'getHealth', 'getConversationContext'] as const satisfies readonly OperationId[];

export async function assertReachable(deployment: Deployment, { send }: Asking): Promise<void> {
  const { baseUrl, tenant } = deployment;
  const available = probes.filter((id) => deployment.operation(id) !== undefined);
  if (available.length === 0)
    throw new PreflightError(
      `the target file sets ${probes.join(', ')} to null: at least one of these operations is needed`,
    );
  const found = keyFor(deployment, {});
  if ('missing' in found) throw new PreflightError(`the target file lacks ${found.missing}`);
  const params = { id: tenant.conversations?.open ?? '00000000-0000-4000-8000-000000000000' };
  let notFound: Exchange | undefined;
  for (const operation of available) {
    const exchange = await send({ operation, params, key: found.key }).catch((error: unknown) => {
      if (error instanceof Stopped)
        throw new PreflightError(`${baseUrl}: ${error.message} before anything was checked`);
      throw error;
    });
    const { status, failure } = exchange;
    if (status === null) throw new PreflightError(`${baseUrl}: ${remedyFor(failure ?? '')} (${failure})`);
    if (status === 429 || status >= 500) return;
    if (status !== 404 && status !== 405) {
      if (status < 300 || status >= 400) assertJson(baseUrl, exchange);
      if (status >= 300 && status < 400)
        throw new PreflightError(
          `${baseUrl}: answered ${status} to ${exchange.headers.location ?? 'elsewhere'}, which is not followed; give the address it leads to as baseUrl`,
        );
      return;
    }
    assertJson(baseUrl, exchange);
    notFound ??= exchange;
  }
  throw new PreflightError(
    `${baseUrl}: none of ${available.join(', ')} is there, ${notFound?.method} ${notFound?.url} answered ${notFound?.status}; is baseUrl the address of the API, without /v1 and with any prefix that it has?`,
  );
}

function assertJson(baseUrl: string, exchange: Exchange): void {
  const type = exchange.headers['content-type'] ?? 'no Content-Type';
  // Malformed JSON with a JSON content type is a fault of the deployment, and no sign of a wrong address.
  if (jsonOf(exchange) !== undefined || exchange.status === 204 || /\bjson\b/i.test(type)) return;
  throw new PreflightError(
    `${baseUrl}: ${exchange.method} ${exchange.url} answered ${exchange.status} with ${type} that is not JSON; is baseUrl the address of the API, without /v1, and not of a web page or a proxy in front of it?`,
  );
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'the host name is not known; check baseUrl and the DNS of this machine'],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/,
    'nothing listens there; check host and port of baseUrl, and that the service runs',
  ],
  [
    /certificate|TLS|SSL|EPROTO|self.signed|wrong version/i,
    'the TLS connection failed; check the certificate, and NODE_EXTRA_CA_CERTS for a private authority',
  ],
  [/ECONNRESET|closed|hang up/, 'the connection was closed; check that baseUrl has the right scheme, http or https'],
  [/within \d+ ms/, 'no reply in time; check the network, or give a longer --timeout'],
];

const remedyFor = (failure: string): string =>
  remedies.find(([pattern]) => pattern.test(failure))?.[1] ??
  'this API sends no such reply; check that baseUrl is the address of the API';

/** A lawful request that changes nothing and needs this scope only, on a record of the key's own tenant. */
function askFor(key: KeyOfTenant, scope: Scope, deployment: Deployment, newId: () => string): Ask | undefined {
  const tenant = deployment.stranger?.name === key.tenant ? deployment.stranger : deployment.tenant;
  for (const { id, scopes } of deployment.operations) {
    if (scopes.length !== 1 || scopes[0] !== scope) continue;
    const [first] = lawfulAsks(id, deployment, newId, tenant).filter(({ holder }) => holder === undefined);
    if (first !== undefined && id !== 'registerSiteFile') return { ...first.ask, key };
  }
  // If only writes of labels need the scope: the removal of a label that does not exist changes nothing.
  for (const { remove } of Object.values(labelOperations)) {
    const { scopes } = deployment.operation(remove) ?? {};
    const [first] = scopes?.length === 1 && scopes[0] === scope ? lawfulAsks(remove, deployment, newId, tenant) : [];
    if (first !== undefined) return { ...first.ask, key, params: { ...first.ask.params, labelId: newId() } };
  }
  return undefined;
}

/** Repeats the request after one of these statuses, because a fault that happens sometimes says nothing about the target file. */
async function sendTwice(send: Asking['send'], ask: Ask, statuses: readonly number[]): Promise<Exchange> {
  const first = await send(ask);
  return statuses.includes(first.status ?? 0) ? send(ask) : first;
}

/**
 * Sends one request for each scope of each key. A refusal is a mistake of the target file only if another key with no more scopes is let
 * in; else the deployment may be wrong.
 */
async function keyProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  /** An operation that this key may use without a scope, or with scopes that the target file names for it. */
  const unscopedFor = ({ scopes }: KeyOfTenant) =>
    (['listLabels', 'getHealth'] as const)
      .map((id) => deployment.operation(id))
      .find((operation) => operation?.scopes.every((scope) => scopes.includes(scope)));
  const problems: string[] = [];
  interface Asked {
    readonly key: KeyOfTenant;
    readonly place: string;
    readonly scope: Scope | null;
  }
  const replies: (Asked & { readonly exchange: Exchange })[] = [];
  const asked = keyPlacesOf(deployment).flatMap(({ key, place }): (Asked & { readonly ask: Ask })[] => {
    if (key.revoked) return [];
    const asks = key.scopes.flatMap((scope) => {
      const ask = askFor(key, scope, deployment, newId);
      return ask === undefined ? [] : [{ key, place, scope, ask }];
    });
    const unscoped = unscopedFor(key);
    return asks.length > 0 || unscoped === undefined
      ? asks
      : [{ key, place, scope: null, ask: { operation: unscoped.id, key } }];
  });
  // Both tenants in turn: where a tenant sticks to the worker that it meets first, each meets some.
  const inTurn = [...Map.groupBy(asked, ({ key }) => key.tenant).values()]
    .flatMap((own) => own.map((one, turn) => ({ ...one, turn })))
    .sort((a, b) => a.turn - b.turn);
  for (const { key, place, scope, ask } of inTurn)
    replies.push({ key, place, scope, exchange: await sendTwice(send, ask, [401, 403]) });
  const isRefused = ({ exchange }: { exchange: Exchange }) => exchange.status === 403 || exchange.status === 401;
  if (replies.length > 0 && replies.every(isRefused))
    throw new PreflightError(
      `${deployment.baseUrl}: every key is refused with ${replies[0]?.exchange.status}; check the secrets, the base URL, and that no proxy in between removes the x-api-key header`,
    );
  const unknown = new Set<KeyOfTenant>();
  for (const { key, place, scope, exchange } of replies.filter(isRefused)) {
    if (unknown.has(key)) continue;
    // A key that is refused where no scope is needed has an unknown secret.
    const unscoped = unscopedFor(key);
    const unscopedReply =
      scope === null || unscoped === undefined ? exchange : await send({ operation: unscoped.id, key });
    const others = replies.filter((one) => one.key !== key && !isRefused(one));
    if (isRefused({ exchange: unscopedReply }) && others.length > 0) {
      unknown.add(key);
      problems.push(
        `${place}.secret: ${unscopedReply.method} ${pathOf(unscopedReply)} answered ${unscopedReply.status}: the deployment does not know this secret, or the key is revoked, or this operation needs a scope, which operations.${unscopedReply.operation}.scopes can name`,
      );
    } else if (scope !== null && others.some((one) => one.scope === scope && isWithin(one.key, key)))
      problems.push(
        `${place}.scopes: the key seems to lack ${scope}: ${exchange.method} ${pathOf(exchange)} answered ${exchange.status}, while a key with fewer scopes is let in`,
      );
  }
  return problems;
}

const isWithin = (a: KeyOfTenant, b: KeyOfTenant) => a.scopes.every((scope) => b.scopes.includes(scope));

/** An id that no operation finds is wrong. */
async function recordProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  const problems: string[] = [];
  // A record exists if the spare label can be removed from it. No record carries that label, so the removal changes nothing.
  const acceptsRemoval = async (slug: string, tenant: TargetTenant) => {
    for (const { remove } of Object.values(labelOperations)) {
      const ask =
        deployment.operation(remove) &&
        lawfulAsks(remove, deployment, newId, tenant).find((one) => one.slug === slug)?.ask;
      const [key] = keysWith(tenant, deployment.operation(remove)?.scopes ?? []);
      if (ask && key && succeeded(await send({ ...ask, key }))) return true;
    }
    return false;
  };
  for (const [index, tenant] of [deployment.tenant, deployment.stranger].entries()) {
    if (tenant === undefined) continue;
    const asks = deployment.operations
      .filter(({ id }) => id !== 'registerSiteFile')
      .flatMap(({ id }) => lawfulAsks(id, deployment, newId, tenant))
      .filter(({ slug, holder }) => slug !== '' && holder === undefined);
    for (const [slug, ofRecord] of Map.groupBy(asks, (one) => one.slug)) {
      const replies: Exchange[] = [];
      for (const { ask } of ofRecord) {
        const scopes = deployment.operation(ask.operation)?.scopes ?? [];
        const found = keyFor(deployment, { scopes, ...(index === 1 && { of: 'stranger' as const }) });
        if ('missing' in found) continue;
        const exchange = await sendTwice(send, { ...ask, key: found.key }, [404]);
        replies.push(exchange);
        if (exchange.status !== 404) break;
      }
      const missing = replies.length > 0 && replies.every(({ status }) => status === 404);
      if (missing && !(await acceptsRemoval(slug, tenant)))
        problems.push(
          `tenants[${index}].${fields[slug] ?? slug}: ${replies.map((one) => `${one.method} ${pathOf(one)} answered 404`).join(', ')}: there is no such record`,
        );
    }
  }
  return problems;
}

const fields: Readonly<Record<string, string>> = {
  'open-conversation': 'conversations.open',
  'closed-conversation': 'conversations.closed',
  'current-site': 'sites.current',
  'legacy-site': 'sites.legacy',
  client: 'clientSite.client',
};

/** Both tenants are the same tenant if each reads everything of the other and both see the same labels. */
async function strangerProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  const { tenant, stranger } = deployment;
  if (stranger === undefined) return [];
  const crossing: Exchange[] = [];
  for (const [owner, whose] of [
    [tenant, 'stranger'],
    [stranger, undefined],
  ] as const) {
    const reads = (['getConversationContext', 'startSiteFileUpload', 'getClient'] as const)
      .filter((id) => deployment.operation(id) !== undefined)
      .flatMap((id) => lawfulAsks(id, deployment, newId, owner).slice(0, 1));
    for (const { ask } of reads) {
      const scopes = deployment.operation(ask.operation)?.scopes ?? [];
      const found = keyFor(deployment, { scopes, ...(whose && { of: whose }) });
      if ('missing' in found) continue;
      const exchange = await send({ ...ask, key: found.key });
      crossing.push(exchange);
      if (!succeeded(exchange)) return [];
    }
  }
  if (crossing.length < 2 || deployment.operation('listLabels') === undefined) return [];
  const lists: (string | null)[] = [];
  for (const whose of [undefined, 'stranger'] as const) {
    const found = keyFor(deployment, { ...(whose && { of: whose }) });
    if ('missing' in found) return [];
    lists.push((await send({ operation: 'listLabels', key: found.key })).body);
  }
  return lists[0] === lists[1]
    ? [
        `tenants[1]: ${stranger.name} is no stranger: keys of ${stranger.name} and ${tenant.name} read everything of each other and see the same labels; give a key and records of another tenant`,
      ]
    : [];
}

const usualTypes = ['image/png', 'image/jpeg', 'application/pdf', 'text/plain'];

/** A deployment may choose its content types, so the target file has to name one that the deployment accepts. */
async function uploadTypeProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  const [first] = deployment.operation('startSiteFileUpload')
    ? lawfulAsks('startSiteFileUpload', deployment, newId)
    : [];
  if (first === undefined) return [];
  const refusal = await send(first.ask);
  if (![400, 415, 422].includes(refusal.status ?? 0)) return [];
  const named = deployment.uploadContentType;
  for (const contentType of usualTypes.filter((one) => one !== named)) {
    if (succeeded(await send({ ...first.ask, body: { contentType } })))
      return [`upload.contentType: uploads of ${named} are refused with ${refusal.status}; ${contentType} is accepted`];
  }
  return [];
}

/**
 * Each tenant may number its sites for itself, so both may have a site with the same bare id. Different replies to both tenants show
 * that these are two sites, and not a leak.
 */
async function sharedIdProblems(deployment: Deployment, { send }: Asking): Promise<string[]> {
  const { tenant, stranger } = deployment;
  const problems: string[] = [];
  const site = deployment.operation('getSite');
  for (const [index, one, other] of [
    [0, tenant, stranger],
    [1, stranger, tenant],
  ] as const) {
    const id = one?.sites?.legacy;
    if (id === undefined || other === undefined || site === undefined || other.sites?.legacy === id) continue;
    const replies: Exchange[] = [];
    for (const whose of [undefined, 'stranger'] as const) {
      const found = keyFor(deployment, { scopes: site.scopes, ...(whose && { of: whose }) });
      if ('key' in found) replies.push(await send({ operation: 'getSite', params: { id }, key: found.key }));
    }
    const [owners, others] = index === 0 ? replies : replies.toReversed();
    if (
      owners &&
      others &&
      succeeded(owners) &&
      succeeded(others) &&
      owners.body !== others.body &&
      areAlike(owners, others, id)
    )
      problems.push(
        `tenants[${1 - index}].sites.legacy: ${other.name} has a site of its own with the id ${id}, like ${one?.name}: name that site here as well, so that reading it is not taken for a leak`,
      );
  }
  return problems;
}

/** Whether both replies show the id in one place, or the first shows it nowhere. A refusal with the status 200 does not show it there. */
function areAlike(one: Exchange, other: Exchange, id: string): boolean {
  const [inOne, inOther] = [one, other].map((reply) =>
    valuesOf(jsonOf(reply)).flatMap(([path, value]) => (String(value) === id ? [path.join('.')] : [])),
  );
  return inOne?.length === 0 || inOne?.some((place) => inOther?.includes(place)) === true;
}

const pathOf = ({ url }: Exchange) => URL.parse(url)?.pathname ?? url;
