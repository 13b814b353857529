import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createServedMock, type Mock } from '../../mock/adapters/create-served-mock.ts';
import { type ListenOptions, listen } from '../../mock/adapters/node-http.ts';
import { targetTenantOf } from '../../mock/control/target-of.ts';
import type { ApiReply, ApiRequest } from '../../mock/message.ts';
import type { TenantSeed } from '../../mock/seed/schema.ts';
import { newTrace, type Trace } from '../../mock/trace.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { scopes as allScopes } from '../../spec/operations.ts';
import type { Entry } from './recordings/traffic-of.ts';
import { stateOf, type TenantState, union } from './tenant-state.ts';
import type { Values } from './variables.ts';
import type { Arrangement, Stage } from './variations/variation.ts';

interface ClientMockOptions {
  readonly seeds: readonly TenantSeed[];
  readonly profile?: Profile | undefined;
  readonly arrangement?: Arrangement;
  readonly listen?: ListenOptions;
  /** Called after every reply. */
  readonly onEntry?: () => unknown;
}

/** A mock that records the requests of one client, with a tenant and a key that only this client has. */
export interface ClientMock extends AsyncDisposable {
  readonly mock: Mock;
  readonly url: string;
  readonly values: Values;
  /** The exchanges so far. Their secrets are not redacted. */
  readonly entries: readonly Entry[];
  /** The changes of the client in its tenant. */
  state(): TenantState;
  /** All changes that existed at some time, including those that the client has undone. */
  passed(): TenantState;
}

/** The largest number of bytes of a body that is recorded. */
const maxBody = 256 * 1024;

export async function startClientMock({
  seeds: given,
  profile,
  arrangement = {},
  listen: where = { port: 0 },
  onEntry = () => undefined,
}: ClientMockOptions): Promise<ClientMock> {
  const seeds = arrangement.seeds?.(given) ?? given;
  const mock = await createServedMock({ seeds, ...(profile && { profile }) });
  const [first] = seeds;
  const tenant = mock.tenants.create({ from: first?.tenant ?? '' });
  const key = mock.keys.create(tenant.name, { name: 'certify', scopes: [...(arrangement.scopes ?? allScopes)] });
  const stage: Stage = { mock, tenant: tenant.name, keyId: key.key.id };
  arrangement.prepare?.(stage);

  const entries: Entry[] = [];
  let passed: TenantState = [];
  const connections = new WeakMap<Socket, number>();
  let opened = 0;
  /** The connection of the request that the server passes next. */
  let connection: number | null = null;
  /** Milliseconds by which variations have moved the clock. This time has not passed for the client. */
  let moved = 0;
  const now = () => mock.clock.now() - moved;

  const handle = async (request: ApiRequest, trace: Trace = newTrace()): Promise<ApiReply> => {
    const sentAt = now();
    const noted = { connection, body: noteBody(request) };
    const before = mock.clock.now();
    arrangement.before?.(stage, request);
    moved += mock.clock.now() - before;
    const given = await mock.handle({ ...request, body: noted.body.stream }, trace);
    const reply = arrangement.reshape?.(given, { request, trace }) ?? given;
    const doneAt = now() + (reply.delay ?? 0);
    entries.push(entryOf(request, reply, trace, noted, { sentAt, doneAt }));
    passed = union(passed, stateOf(mock, tenant));
    onEntry();
    return reply;
  };
  const server = await listen({ ...mock, handle }, where);
  const meet = ({ socket }: IncomingMessage, response: ServerResponse) => {
    connection = connections.get(socket) ?? ++opened;
    connections.set(socket, connection);
    arrangement.wire?.(response);
  };
  server.server.prependListener('request', meet).prependListener('checkContinue', meet);

  const labels = new Set(given.flatMap((seed) => seed.labels.map(({ name }) => name)));
  const values = valuesOf(mock, tenant.name, server.url, key.secret, labels);
  return {
    mock,
    url: server.url,
    values: arrangement.values?.(values) ?? values,
    entries,
    state: () => stateOf(mock, tenant),
    passed: () => passed,
    async [Symbol.asyncDispose]() {
      await server.close();
      await mock.close();
    },
  };
}

interface NotedBody {
  stream: ApiRequest['body'];
  readonly pieces: Uint8Array[];
  bytes: number;
}

/** Records the body while the mock reads it. Of an upload only the size is recorded. */
function noteBody({ body, url }: ApiRequest): NotedBody {
  const noted: NotedBody = { stream: null, pieces: [], bytes: 0 };
  if (body === null) return noted;
  const keeps = !url.startsWith('/storage/');
  noted.stream = (async function* () {
    for await (const piece of body) {
      if (keeps && noted.bytes < maxBody) noted.pieces.push(piece);
      noted.bytes += piece.length;
      yield piece;
    }
  })();
  return noted;
}

function entryOf(
  { method, url, headers }: ApiRequest,
  reply: ApiReply,
  trace: Trace,
  { connection, body }: { readonly connection: number | null; readonly body: NotedBody },
  times: Pick<Entry, 'sentAt' | 'doneAt'>,
): Entry {
  const named = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    ...times,
    method,
    url,
    requestHeaders: Object.fromEntries(named),
    requestBody: body.pieces.length === 0 ? null : Buffer.concat(body.pieces).toString(),
    // If the body was refused unread, only the header says its size.
    requestBytes: Math.max(body.bytes, Number(headers['content-length']) || 0),
    status: reply.broken === undefined ? reply.status : null,
    headers: Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: reply.body,
    connection,
    fault: trace.fault !== null,
    operation: trace.operationId,
  };
}

/** The values that the client gets in environment variables. @param labels names of the labels that exist in every run */
function valuesOf(mock: Mock, tenant: string, url: string, key: string, labels: ReadonlySet<string>): Values {
  const described = targetTenantOf(mock, mock.tenant(tenant));
  const { conversations, sites, clientSite, spareLabel, spareLabels = [] } = described;
  const spare = [...(spareLabel ? [spareLabel] : []), ...spareLabels].find(({ name = '' }) => labels.has(name));
  const all: Record<keyof Values, string | undefined> = {
    URL: url,
    KEY: key,
    CONVERSATION: conversations?.open,
    CLOSED_CONVERSATION: conversations?.closed,
    // The site of the link, so that SITE and CLIENT are linked.
    SITE: clientSite?.site ?? sites?.current,
    LEGACY_SITE: sites?.legacy,
    CLIENT: clientSite?.client,
    LEGACY_CLIENT: [...mock.tenant(tenant).links.values()].find(({ site }) => site === sites?.legacy)?.client,
    LABEL: spare?.id,
    LABEL_NAME: spare?.name,
    STORAGE_URL: `${url}/storage/`,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
