import type { TargetInput, TargetTenant } from '../../spec/files/target.ts';
import { parseTarget } from '../../spec/files/target.ts';
import { type OperationId, operationList, type Scope } from '../../spec/operations.ts';
import type { Ask } from '../client/ask.ts';
import { createClient } from '../client/client.ts';
import type { Environment } from '../client/environment.ts';
import { uuidFrom } from '../client/environment.ts';
import type { Scene } from '../experiments/scene.ts';
import { type Exchange, isObject, objectIn, succeeded } from '../history/exchange.ts';
import { deploymentOf } from '../target/deployment.ts';
import type { KeyOfTenant } from '../target/keys.ts';
import { redactionOf } from '../target/secrets.ts';
import { assertReachable, PreflightError } from './preflight/reachable.ts';

/** What the user knows of a tenant. */
interface GivenTenant {
  readonly name: string;
  readonly keys: readonly { readonly name: string; readonly secret: string; readonly use?: 'limits' | undefined }[];
  readonly conversations: readonly string[];
}

export type FoundTenant = TargetInput['tenants'][number];

interface Discovered {
  readonly tenants: readonly FoundTenant[];
  /** Operations that are not where they are assumed to be. Scopes that only they would show are not found. */
  readonly unknown: readonly OperationId[];
}

/** Assumed of every key, so that the client sends every probe. */
const everyScope: readonly Scope[] = [...new Set(operationList.flatMap(({ scopes }) => scopes))];

/**
 * Asks a deployment for the content of a target file: the scopes of keys, and records that are connected.
 * No request changes anything: requests that could write name records that do not exist.
 * @throws PreflightError when the deployment does not reply
 */
export async function discover(
  baseUrl: string,
  given: readonly GivenTenant[],
  environment: Environment,
): Promise<Discovered> {
  const tenants = given.map(({ name, keys }) => ({
    name,
    keys: keys.map((key) => ({ ...key, scopes: [...everyScope] })),
  }));
  const target = parseTarget({ baseUrl, tenants }, {}, 'init');
  const deployment = deploymentOf(target);
  const newId = () => uuidFrom(environment.random);
  const client = createClient({
    deployment,
    environment,
    redaction: redactionOf(target),
    timeout: 30_000,
    budget: Number.POSITIVE_INFINITY,
    newId,
    record: (observed, n): Exchange => ({ n, ...observed }),
  });
  const send: Send = (operation, key, params = {}, body = undefined) =>
    client.send({ operation, params, key, ...(body !== undefined && { body }) }, { script: 'init' });
  await assertReachable(deployment, { newId, send: (ask) => client.send(ask, { script: 'init' }) });
  const unknown = new Set<OperationId>();
  // A router that does not know the path answers 404 as well, whatever the key.
  const isAllowed: IsAllowed = async (reply) => {
    if (isRefused(reply)) return false;
    const scene = {
      deployment,
      send: (ask: Ask) => client.send(ask, { script: 'init' }),
    };
    if (await isRouted(scene, reply)) return true;
    if (reply.operation !== null && reply.operation !== 'storage') unknown.add(reply.operation);
    return false;
  };
  const discovered: FoundTenant[] = [];
  for (const [index, tenant] of target.tenants.entries())
    discovered.push(await discoverTenant(tenant, given[index]?.conversations ?? [], send, newId, isAllowed));
  if (discovered.every(({ keys }) => keys.every(({ revoked }) => revoked)))
    throw new PreflightError(
      `${baseUrl}: every key is refused; check the secrets and the base URL. If a gateway in front needs a header, write the file without --base-url, and name the header in it: headers: { name: value }`,
    );
  return { tenants: discovered, unknown: [...unknown] };
}

type IsAllowed = (reply: Exchange) => Promise<boolean>;

type Send = (
  operation: OperationId,
  key: KeyOfTenant,
  params?: Readonly<Record<string, string>>,
  body?: unknown,
) => Promise<Exchange>;

async function discoverTenant(
  tenant: TargetTenant,
  conversations: readonly string[],
  send: Send,
  newId: () => string,
  isAllowed: IsAllowed,
): Promise<FoundTenant> {
  const keys: { key: KeyOfTenant; scopes: Scope[]; revoked: boolean }[] = [];
  for (const one of tenant.keys) {
    const key = { ...one, tenant: tenant.name };
    // These operations need no scope, so a key that both refuse does not authenticate.
    const revoked = isRefused(await send('listLabels', key)) && isRefused(await send('getHealth', key));
    keys.push({ key, revoked, scopes: revoked ? [] : await scopesOf(key, send, newId, isAllowed) });
  }
  const records = await recordsOf(
    conversations,
    send,
    (scope) => keys.find(({ scopes }) => scopes.includes(scope))?.key,
  );
  return {
    name: tenant.name,
    keys: keys.map(({ key: { name, secret, use }, scopes, revoked }) => ({
      name,
      secret,
      ...(revoked ? { revoked } : { scopes }),
      ...(use !== undefined && { use }),
    })),
    ...records,
  };
}

const isRefused = ({ status }: Exchange) => status === 401 || status === 403;

/** A key has a scope if an operation that needs the scope is not forbidden. Records that do not exist are asked for. */
async function scopesOf(key: KeyOfTenant, send: Send, newId: () => string, isAllowed: IsAllowed): Promise<Scope[]> {
  const site = `ovaid-${newId()}`;
  const client = `ovcid-${newId()}`;
  const probes: readonly (readonly [Scope, () => Promise<Exchange>])[] = [
    ['conversation:read', () => send('getConversationContext', key, { id: newId() })],
    ['conversation:write', () => send('removeConversationLabel', key, { id: newId(), labelId: newId() })],
    ['client:read', () => send('getClient', key, { id: client })],
    ['site:read', () => send('getSite', key, { id: site })],
    ['site:write', () => send('removeSiteLabel', key, { id: site, labelId: newId() })],
    ['siteFile:write', () => send('startSiteFileUpload', key, { id: site }, { contentType: 'text/plain' })],
  ];
  const scopes: Scope[] = [];
  for (const [scope, ask] of probes) if (await isAllowed(await ask())) scopes.push(scope);
  // This operation needs both scopes, so it shows client:write only for a key that has site:write.
  if (scopes.includes('site:write')) {
    const link = { clientId: client, siteId: site, labelId: newId() };
    if (await isAllowed(await send('removeClientSiteLabel', key, link))) scopes.push('client:write');
  }
  return scopes;
}

/** Follows the given conversations to their sites, and the sites to a client. */
async function recordsOf(
  ids: readonly string[],
  send: Send,
  keyWith: (scope: Scope) => KeyOfTenant | undefined,
): Promise<Omit<FoundTenant, 'name' | 'keys'>> {
  const records: {
    conversations: Record<string, string>;
    sites: Record<string, string>;
    clientSite?: FoundTenant['clientSite'];
  } = { conversations: {}, sites: {} };
  const carried = new Set<unknown>();
  const reader = keyWith('conversation:read');
  for (const id of reader === undefined ? [] : ids) {
    const context = await send('getConversationContext', reader as KeyOfTenant, { id });
    if (!succeeded(context)) continue;
    const { status, labels, sites } = objectIn(context);
    records.conversations[/closed/i.test(String(status)) ? 'closed' : 'open'] ??= id;
    for (const label of listOf(labels)) carried.add(label);
    for (const site of listOf(sites)) {
      if (!isObject(site) || typeof site.id !== 'string') continue;
      records.sites[site.id.startsWith('ovaid-') ? 'current' : 'legacy'] ??= site.id;
      const siteReader = keyWith('site:read');
      if (siteReader === undefined || records.clientSite !== undefined) continue;
      const { primaryClientId, clients } = objectIn(await send('getSite', siteReader, { id: site.id }));
      const linked = [...listOf(clients).map((one) => isObject(one) && one.id), primaryClientId];
      const client = linked.find((one): one is string => typeof one === 'string' && one.startsWith('ovcid-'));
      if (client !== undefined) records.clientSite = { client, site: site.id };
    }
  }
  const spareLabel = reader && (await spareLabelOf(reader, carried, send));
  const { conversations, sites, clientSite } = records;
  return {
    ...(Object.keys(conversations).length > 0 && { conversations }),
    ...(Object.keys(sites).length > 0 && { sites }),
    ...(clientSite && { clientSite }),
    ...(spareLabel && carried.size > 0 && { spareLabel }),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A listed label that none of these conversations carries, preferably one whose name says that it is for tests. */
async function spareLabelOf(key: KeyOfTenant, carried: ReadonlySet<unknown>, send: Send) {
  const { labels } = objectIn(await send('listLabels', key));
  const free = listOf(labels).flatMap((label) => {
    if (!isObject(label) || typeof label.id !== 'string' || typeof label.name !== 'string') return [];
    return carried.has(label.id) || carried.has(label.name) ? [] : [{ id: label.id, name: label.name }];
  });
  return free.find(({ name }) => /spare|test/i.test(name)) ?? free[0];
}

/**
 * Whether the refusal of a removal comes from the operation, and not from a router that does not know the path. The reply to a path that
 * surely does not exist decides.
 */
async function isRouted({ deployment, send }: Pick<Scene, 'deployment' | 'send'>, refusal: Exchange): Promise<boolean> {
  const { operation: id, status, params } = refusal;
  const operation = deployment.operation(id);
  if (operation === undefined || status === 405) return false;
  if (operation.provenance.address === 'documented' || status !== 404) return true;
  const path = `${new URL(refusal.url).pathname.split('/').slice(0, -2).join('/')}/nowhere`;
  const nowhere = await send({ operation: operation.id, params, path, twist: 'path/nowhere' });
  return nowhere.status !== status || withoutPlace(nowhere) !== withoutPlace(refusal);
}

/** The body without paths, ids and numbers, which differ between requests. */
function withoutPlace({ body, url, params }: Exchange): string {
  const { pathname } = new URL(url);
  let rest = body ?? '';
  for (const part of [pathname, decodeURIComponent(pathname), ...Object.values(params)])
    rest = rest.replaceAll(part, '');
  return rest.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '').replace(/\d+/g, '');
}
