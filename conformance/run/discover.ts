import { parseTarget, type TargetInput } from '../../spec/files/target.ts';
import { type OperationId, operationList, type Scope } from '../../spec/operations.ts';
import type { Ask } from '../client/ask.ts';
import { createClient } from '../client/client.ts';
import { type Environment, uuidFrom } from '../client/environment.ts';
import { isOwn } from '../experiments/there.ts';
import { type Exchange, isObject, objectIn, succeeded } from '../history/exchange.ts';
import { type Deployment, deploymentOf, type KeyOfTenant } from '../target/deployment.ts';
import { redactionOf } from '../target/secrets.ts';
import { isRefused } from './preflight.ts';
import { assertReachable, PreflightError } from './reachable.ts';

/** What the user knows of a tenant. A secret may be the `${NAME}` of an environment variable. */
interface GivenTenant {
  readonly name: string;
  readonly keys: readonly { readonly name: string; readonly secret: string; readonly use?: 'limits' | undefined }[];
  readonly conversations: readonly string[];
}

export type FoundTenant = TargetInput['tenants'][number];

/** Assumed of every key, so that the client sends every probe. */
const everyScope: readonly Scope[] = [...new Set(operationList.flatMap(({ scopes }) => scopes))];

/**
 * Asks a deployment for the content of a target file: the scopes of keys, and records that are connected.
 * No request changes anything: requests that could write name records that do not exist.
 * @throws PreflightError when the deployment does not reply
 */
export async function discover(baseUrl: string, given: readonly GivenTenant[], environment: Environment) {
  const everything = given.map(({ name, keys }) => ({
    name,
    keys: keys.map((key) => ({ ...key, scopes: [...everyScope] })),
  }));
  const target = parseTarget({ baseUrl, tenants: everything }, process.env, 'init');
  const deployment = deploymentOf(target);
  const client = createClient({ deployment, environment, redaction: redactionOf(target) });
  const send = (ask: Ask) => client.send(ask, { script: 'init' });
  const newId = () => uuidFrom(environment.random);
  await assertReachable(deployment, { newId, send });
  /** Operations that are not where they are assumed to be. Scopes that only they would show are not found. */
  const unknown = new Set<OperationId>();

  /** A key has a scope if an operation that needs the scope is not forbidden. A router that does not know the path answers 404, whatever the key. */
  const isAllowed = async (ask: Ask): Promise<boolean> => {
    const reply = await send(ask);
    if (isRefused(reply)) return false;
    if (await isRouted(deployment, send, ask, reply)) return true;
    unknown.add(ask.operation);
    return false;
  };
  /** Records that do not exist are asked for. */
  const scopesOf = async (key: KeyOfTenant): Promise<Scope[]> => {
    const [id, site, other] = [newId(), `ovaid-${newId()}`, `ovcid-${newId()}`];
    const labelId = newId();
    const probes: readonly (readonly [Scope, Ask])[] = [
      ['conversation:read', { operation: 'getConversationContext', params: { id } }],
      ['conversation:write', { operation: 'removeConversationLabel', params: { id, labelId } }],
      ['client:read', { operation: 'getClient', params: { id: other } }],
      ['site:read', { operation: 'getSite', params: { id: site } }],
      ['site:write', { operation: 'removeSiteLabel', params: { id: site, labelId } }],
      [
        'siteFile:write',
        { operation: 'startSiteFileUpload', params: { id: site }, body: { contentType: 'text/plain' } },
      ],
      // This operation needs both scopes, so it shows client:write only for a key that has site:write.
      ['client:write', { operation: 'removeClientSiteLabel', params: { clientId: other, siteId: site, labelId } }],
    ];
    const scopes: Scope[] = [];
    for (const [scope, ask] of probes)
      if ((scope !== 'client:write' || scopes.includes('site:write')) && (await isAllowed({ ...ask, key })))
        scopes.push(scope);
    return scopes;
  };
  const discovered: FoundTenant[] = [];
  for (const [index, { name, keys }] of target.tenants.entries()) {
    const found: (FoundTenant['keys'][number] & { readonly scopes: Scope[] })[] = [];
    for (const [k, one] of keys.entries()) {
      const key = { ...one, tenant: name };
      // These operations need no scope, so a key that both refuse does not authenticate.
      const bare = [await send({ operation: 'listLabels', key }), await send({ operation: 'getHealth', key })];
      const revoked = bare.every(isRefused);
      const { use } = one;
      found.push({
        name: one.name,
        secret: given[index]?.keys[k]?.secret ?? '',
        scopes: revoked ? [] : await scopesOf(key),
        ...(revoked && { revoked }),
        ...(use !== undefined && { use }),
      });
    }
    const readAs = (scope: Scope): Read => {
      const reader = keys.find((_, i) => found[i]?.scopes.includes(scope));
      return async (operation, id) => {
        if (reader === undefined) return {};
        const reply = await send({ operation, params: { id }, key: { ...reader, tenant: name } });
        return succeeded(reply) ? objectIn(reply) : {};
      };
    };
    discovered.push({ name, keys: found, ...(await recordsOf(given[index]?.conversations ?? [], readAs)) });
  }
  if (discovered.every(({ keys }) => keys.every(({ revoked }) => revoked)))
    throw new PreflightError(
      `${baseUrl}: every key is refused; check the secrets and the base URL. If a gateway in front needs a header, write the file without --base-url, and name the header in it: headers: { name: value }`,
    );
  return { tenants: discovered, unknown: [...unknown] };
}

/** The object in the reply to a read; empty where nobody may read it. */
type Read = (operation: OperationId, id: string) => Promise<Readonly<Record<string, unknown>>>;

/** Follows the given conversations to their sites, and the sites to a client. */
async function recordsOf(
  ids: readonly string[],
  readAs: (scope: Scope) => Read,
): Promise<Omit<FoundTenant, 'name' | 'keys'>> {
  const conversations: Record<string, string> = {};
  const sites: Record<string, string> = {};
  let clientSite: FoundTenant['clientSite'];
  const carried = new Set<unknown>();
  for (const id of ids) {
    const context = await readAs('conversation:read')('getConversationContext', id);
    if (Object.keys(context).length === 0) continue;
    conversations[/closed/i.test(String(context.status)) ? 'closed' : 'open'] ??= id;
    for (const label of listOf(context.labels)) carried.add(label);
    for (const site of listOf(context.sites)) {
      if (!isObject(site) || typeof site.id !== 'string') continue;
      sites[site.id.startsWith('ovaid-') ? 'current' : 'legacy'] ??= site.id;
      if (clientSite !== undefined) continue;
      const { primaryClientId, clients } = await readAs('site:read')('getSite', site.id);
      const linked = [...listOf(clients).map((one) => isObject(one) && one.id), primaryClientId];
      const client = linked.find((one): one is string => typeof one === 'string' && one.startsWith('ovcid-'));
      if (client !== undefined) clientSite = { client, site: site.id };
    }
  }
  // A listed label that none of these conversations carries, preferably one whose name says that it is for tests.
  const { labels } = carried.size === 0 ? {} : await readAs('conversation:read')('listLabels', '');
  const free = listOf(labels).flatMap((label) => {
    if (!isObject(label) || typeof label.id !== 'string' || typeof label.name !== 'string') return [];
    return carried.has(label.id) || carried.has(label.name) ? [] : [{ id: label.id, name: label.name }];
  });
  const spareLabel = free.find(({ name }) => /spare|test/i.test(name)) ?? free[0];
  return {
    ...(Object.keys(conversations).length > 0 && { conversations }),
    ...(Object.keys(sites).length > 0 && { sites }),
    ...(clientSite && { clientSite }),
    ...(spareLabel && { spareLabel }),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a reply comes from the operation, and not from a router: the reply to a path that surely does not exist decides. */
async function isRouted(
  deployment: Deployment,
  send: (ask: Ask) => Promise<Exchange>,
  { operation, params = {} }: Ask,
  reply: Exchange,
): Promise<boolean> {
  if (reply.status === 405) return false;
  if (deployment.operation(operation)?.isAddressStated || reply.status !== 404) return true;
  const path = `${new URL(reply.url).pathname.split('/').slice(0, -2).join('/')}/nowhere`;
  return isOwn(reply, await send({ operation, params, path }));
}
