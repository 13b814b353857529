import type { IncomingMessage, ServerResponse } from 'node:http';
import { withPatch } from '../../conformance/profile.ts';
import { createServedMock } from '../../mock/adapters/create-served-mock.ts';
import { type ListenOptions, listen } from '../../mock/adapters/node-http.ts';
import { targetTenantOf } from '../../mock/control/target-of.ts';
import type { ClonedTenant, Mock } from '../../mock/index.ts';
import type { TenantSeed } from '../../mock/seed/schema.ts';
import type { LabelHolder } from '../../mock/store/records.ts';
import { Trace } from '../../mock/trace.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { scopes as allScopes } from '../../spec/operations.ts';
import type { Entry } from './traffic.ts';
import type { Values } from './variables.ts';
import type { Arrangement } from './variations/variation.ts';

interface ClientMockOptions {
  readonly seeds: readonly TenantSeed[];
  readonly profile?: Profile | undefined;
  readonly arrangements?: readonly Arrangement[] | undefined;
  readonly listen?: ListenOptions;
  /** Called after every reply. */
  readonly onEntry?: () => unknown;
}

/** Starts a mock that records the requests of one client, with a tenant and a key that only this client has. */
export async function startClientMock({
  seeds: given,
  profile = {},
  arrangements = [],
  listen: where = { port: 0 },
  onEntry = () => undefined,
}: ClientMockOptions) {
  const seeds = arrangements.reduce((all, one) => one.seeds?.(all) ?? all, given);
  const scopes = arrangements.find((one) => one.scopes)?.scopes ?? allScopes;
  const patches = arrangements.flatMap((one) => one.profile ?? []);
  const mock = await createServedMock({ seeds, profile: patches.reduce<Profile>(withPatch, profile) });
  const [first] = seeds;
  const tenant = mock.tenants.create({ from: first?.tenant ?? '' });
  const key = mock.keys.create(tenant.name, { name: 'certify', scopes: [...scopes] });
  for (const { faults = [] } of arrangements) for (const fault of faults) mock.faults.add(fault);

  const entries: Entry[] = [];
  // Who clears the journal starts over.
  mock.journal.onClear(() => {
    entries.length = 0;
  });
  /** The port of the client from which the request comes that the server passes next. */
  let connection: number | null = null;
  /** Milliseconds by which variations have moved the clock. This time has not passed for the client. */
  let moved = 0;
  const now = () => mock.clock.now() - moved;

  const handle: Mock['handle'] = async (request, trace = new Trace()) => {
    const [sentAt, cameOn, clock] = [now(), connection, mock.clock.now()];
    for (const one of arrangements) one.before?.(mock, request, key.key.id);
    moved += mock.clock.now() - clock;
    const given = await mock.handle(request, trace);
    const operation = trace.operationId ?? 'storage';
    const reply = arrangements.reduce((said, one) => one.reshape?.(said, operation) ?? said, given);
    entries.push({
      method: request.method,
      url: request.url,
      requestHeaders: request.headers,
      requestBody: trace.body?.length ? new TextDecoder().decode(trace.body) : null,
      // If the body was refused unread, or went into the file store, only the header says its size.
      requestBytes: trace.body?.length ?? (Number(request.headers['content-length']) || 0),
      sentAt,
      doneAt: now() + (reply.delay ?? 0),
      status: reply.broken === undefined ? reply.status : null,
      headers: reply.headers,
      body: reply.body,
      connection: cameOn,
      fault: trace.fault !== null,
      operation: trace.operationId,
    });
    onEntry();
    return reply;
  };
  const server = await listen({ ...mock, handle }, where);
  const meet = ({ socket }: IncomingMessage, response: ServerResponse) => {
    connection = socket.remotePort ?? null;
    for (const one of arrangements) one.wire?.(response);
  };
  server.server.prependListener('request', meet).prependListener('checkContinue', meet);

  const labels = new Set(given.flatMap((seed) => seed.labels.map(({ name }) => name)));
  const values = valuesOf(mock, tenant.name, server.url, key.secret, labels);
  return {
    url: server.url,
    values: arrangements.reduce((all, one) => one.values?.(all) ?? all, values),
    /** The exchanges so far. Their secrets are not redacted. */
    entries: entries as readonly Entry[],
    /** The changes of the client in its tenant. @param given variables by their values */
    state: (given: ReadonlyMap<string, string>) => stateOf(mock, tenant, given),
    async [Symbol.asyncDispose]() {
      await server.close();
      await mock.close();
    },
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
    LEGACY_CLIENT: [...mock.tenant(tenant).records.links.values()].find(({ site }) => site === sites?.legacy)?.client,
    LABEL: spare?.id,
    LABEL_NAME: spare?.name,
    STORAGE_URL: `${url}/storage/`,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The changes of a client, as texts that are the same for every copy of a tenant. */
export type TenantState = readonly string[];

/** The changed labels of each record, and the registered files. A record is named by the variable that has its id, or by its id in the original. */
function stateOf(mock: Mock, { name, ids }: ClonedTenant, given: ReadonlyMap<string, string>): TenantState {
  const tenant = mock.tenant(name);
  const names = new Map(Object.entries(ids).map(([original, own]) => [own, original]));
  for (const [id, variable] of given) names.set(id, `$${variable}`);
  const nameOf = (id: string) => names.get(id) ?? id;
  const holderName = (holder: LabelHolder) =>
    'client' in holder ? `the link of ${nameOf(holder.client)} to ${nameOf(holder.site)}` : nameOf(holder.id);
  const labels = [...tenant.changedHolders()].flatMap(([holder, carried]) => {
    const names = (all: Iterable<string>) => [...all].map((id) => tenant.records.labels.get(id)?.name ?? id);
    const [before, now] = [names(tenant.records.firstLabelsOf(holder)), names(carried)];
    return [
      ...now.filter((label) => !before.includes(label)).map((label) => `label "${label}" on ${holderName(holder)}`),
      ...before.filter((label) => !now.includes(label)).map((label) => `label "${label}" off ${holderName(holder)}`),
    ];
  });
  const files = mock.files
    .list(name)
    .filter(({ state }) => state === 'registered')
    .map(({ site, contentType, size, name: called, etag }) => {
      const title = called === null ? 'a file' : `the file "${called}"`;
      return `${title} (${contentType}, ${size} bytes, MD5 ${etag?.slice(1, 7)}…) at ${nameOf(site)}`;
    });
  return [...labels, ...files].sort();
}

/** The changes that the state has more often than the reference. */
export function surplus(state: TenantState, reference: TenantState): string[] {
  const left = [...reference];
  return state.filter((thing) => {
    const at = left.indexOf(thing);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
