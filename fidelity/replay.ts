import { type Exchange, objectIn, succeeded } from '../conformance/history/exchange.ts';
import type { HookCall } from '../conformance/history/hook-call.ts';
import { labelWriteOf } from '../conformance/target/holder.ts';
import { createClock } from '../mock/clock.ts';
import { createMock, type Mock } from '../mock/create-mock.ts';
import { wholeBody } from '../mock/message.ts';
import { MockError } from '../mock/mock-error.ts';
import type { HolderRef } from '../mock/store/records.ts';
import { Trace } from '../mock/trace.ts';
import type { Profile } from '../spec/files/profile-schema.ts';
import type { Scope } from '../spec/operations.ts';
import { type Difference, differences, isId, type Reply } from './alike.ts';
import { type Arrival, explainedLimiter } from './explained-limiter.ts';
import { fixtureName, type Recording, secretFor, unredacted } from './recording.ts';
import { Roles } from './roles.ts';
import type { Seen } from './seen.ts';

/** A recorded exchange, and what the mock answered to the same request at the same moment. */
export interface Replayed {
  readonly exchange: Exchange;
  /** Null where it could not be asked. */
  readonly mock: Reply | null;
  /** Why the mock refused. */
  readonly refused: Trace['refused'];
  readonly differences: readonly Difference[];
  /** Why nothing was compared, where that is so. */
  readonly unknown: string | null;
}

/** Sends every recorded request to a mock with these tenants, in the recorded order, at the recorded moments of a virtual clock. */
export async function replay(
  recording: Recording,
  { seeds, changes }: Pick<Seen, 'seeds' | 'changes'>,
  profile: Profile = {},
): Promise<Replayed[]> {
  const first = recording.exchanges[0]?.sentAt ?? 0;
  let now = first;
  let arrival: Arrival = { request: { sentAt: first, doneAt: first }, throttled: false, passed: [] };
  const passed = Map.groupBy(
    recording.exchanges.filter(({ status, credential }) => status !== 429 && credential === 'key'),
    ({ requestHeaders }) => requestHeaders['x-api-key'],
  );
  const mock = await createMock({
    seeds,
    profile: { ...profile, operations: { ...recording.target.operations, ...profile.operations } },
    clock: createClock(() => now),
    journal: false,
    createLimiter: (limit) => explainedLimiter(limit, () => arrival),
  });
  const roles = new Roles();
  // The mock has the recorded ids, so no sample of a profile stands for one of them.
  JSON.stringify(seeds, (_, value) => {
    if (typeof value === 'string' && isId(value, '')) roles.pair(value, value);
    return value;
  });
  const requests = requestsOf(recording, roles);
  const ask = async (exchange: Exchange): Promise<Replayed> => {
    const request = requests.requestFor(exchange);
    if ('unknown' in request) return { exchange, mock: null, refused: null, differences: [], unknown: request.unknown };
    const others = passed.get(exchange.requestHeaders['x-api-key']) ?? [];
    arrival = { request: exchange, throttled: exchange.status === 429, passed: others };
    const trace = new Trace();
    const correct = correcting(mock, exchange);
    const { status, headers, body } = await mock.handle(request, trace);
    const reply = { status, headers, body };
    requests.learn(exchange, reply);
    if (succeeded(exchange) !== succeeded(reply)) correct();
    const recorded = { ...exchange, status: exchange.status ?? 0 };
    const found = differences(recorded, reply, roles);
    const unknown = found.length > 0 && isRace(exchange, found, recording) ? atOnce : null;
    return { exchange, mock: reply, refused: trace.refused, differences: unknown ? [] : found, unknown };
  };
  const replayed: Replayed[] = [];
  const events: { readonly at: number; readonly happen: () => unknown }[] = [
    ...changes.map(({ at, tenant, id, fields }) => ({
      at,
      happen: () => mock.tenant(tenant).conversations.update(id, fields),
    })),
    ...recording.hooks.map((call) => ({ at: call.doneAt, happen: () => act(mock, recording, call) })),
    ...recording.exchanges.map((exchange) => ({
      at: exchange.sentAt,
      happen: async () => replayed.push(await ask(exchange)),
    })),
  ];
  for (const { at, happen } of events.sort((a, b) => a.at - b.at)) {
    now = Math.max(now, at);
    await happen();
  }
  await mock.close();
  return replayed;
}

/** Brings a label of a record to where the recorded write left it, so that a difference is not counted again in what follows. */
function correcting(mock: Mock, { operation, params, key, status }: Exchange): () => void {
  const write = labelWriteOf(operation, params);
  if (write === null) return () => undefined;
  const { holder, label } = write;
  const ref = holder.kind === 'link' ? { client: holder.clientId, site: holder.siteId } : { [holder.kind]: holder.id };
  const on = [fixtureName(key?.split('/')[0] ?? ''), ref as HolderRef] as const;
  const had = known(() => mock.labels.of(...on).some(({ id }) => id === label.toLowerCase()));
  const has = succeeded({ status }) ? write.act === 'apply' : had;
  return () => known(() => mock.labels[has ? 'apply' : 'remove'](...on, label));
}

/** Does something in the mock; undefined where the record, label or key is one that no reply has shown. */
function known<T>(happen: () => T): T | undefined {
  try {
    return happen();
  } catch (error) {
    if (error instanceof MockError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const atOnce = 'in which order writes of the same record arrived that were sent at once';

/** Whether only the labels differ, and another write of the same record was on its way. */
function isRace(exchange: Exchange, found: readonly Difference[], { exchanges }: Recording): boolean {
  if (!found.every(({ at, what }) => at.includes('[]') && /missing|more|id/.test(what))) return false;
  const record = recordOf(exchange);
  return exchanges.some(
    (other) =>
      other !== exchange &&
      other.sentAt < exchange.doneAt &&
      other.doneAt > exchange.sentAt &&
      labelWriteOf(other.operation, other.params) !== null &&
      recordOf(other) === record,
  );
}

const recordOf = ({ params: { id, clientId, siteId } }: Exchange) => [id, clientId, siteId].join(' ').toLowerCase();

/** Recorded requests as the mock is asked them. */
function requestsOf({ target: { baseUrl, tenants }, hooks }: Recording, roles: Roles) {
  const marks = [
    ...tenants.flatMap(({ keys }) => keys.map(({ secret }) => secret)),
    ...hooks.flatMap(({ output }) => marksIn(output)),
  ];
  const secrets = new Map(marks.map((mark) => [mark, secretFor(mark)]));
  /** The upload URLs of the mock, by the number of the exchange that began the upload, and by the path of the recorded URL. */
  const uploads = new Map<string, string>();

  const pathOf = (url: string) => {
    const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url.replace(/^[a-z]+:\/\/[^/]*/i, '');
    return unredacted(roles.translated(path), secrets);
  };
  const storageUrl = ({ url, params: { start = '' }, tampered }: Exchange) => {
    const own = uploads.get(start) ?? uploads.get(withoutQuery(url));
    if (own === undefined) return undefined;
    const { pathname, search } = new URL(own);
    if (tampered === 'altered')
      return pathname + search.replace(/(signature=)(.)/i, (_, name, first) => name + (first === '0' ? '1' : '0'));
    const other = [...uploads.values()].find((one) => one !== own);
    return pathname + (tampered === 'of-another' && other ? new URL(other).search : search);
  };
  /** Undefined where more was sent than recorded, and what it was decides the reply. */
  const bodyOf = ({ requestBody, requestBytes, status, operation }: Exchange) => {
    if (requestBytes === 0 && requestBody === null) return null;
    const bytes = new TextEncoder().encode(requestBody ?? '');
    if (bytes.length === requestBytes)
      return new TextEncoder().encode(roles.translated(unredacted(requestBody ?? '', secrets)));
    if (operation !== 'storage' && status !== 413) return undefined;
    const padded = new Uint8Array(requestBytes).fill(0x20);
    padded.set(bytes.subarray(0, requestBytes));
    return padded;
  };
  return {
    requestFor(exchange: Exchange): Parameters<Mock['handle']>[0] | { readonly unknown: string } {
      const { method, requestBytes, requestHeaders, failure, status } = exchange;
      if (status === null) return { unknown: `what a reply would have been: ${failure?.split(':')[0] ?? 'none came'}` };
      const url = exchange.operation === 'storage' ? storageUrl(exchange) : pathOf(exchange.url);
      if (url === undefined) return { unknown: 'an upload URL that was issued before the recording' };
      const key = unredacted(requestHeaders['x-api-key'] ?? '', secrets);
      if (key.startsWith('$') && status !== 401 && status !== 403)
        return { unknown: 'a key whose secret was redacted, and that was never served' };
      const body = bodyOf(exchange);
      if (body === undefined) return { unknown: 'a request body that was not recorded to its end' };
      const headers = Object.fromEntries(
        Object.entries(requestHeaders).map(([name, value]) => [name.toLowerCase(), unredacted(value, secrets)]),
      );
      // Redaction finds a secret in any letter case.
      if (exchange.credential === 'other-case' && key !== '')
        headers['x-api-key'] = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
      const length = requestBytes > 0 && { 'content-length': String(requestBytes) };
      return {
        method,
        url,
        origin: 'http://127.0.0.1:4010',
        headers: { ...headers, host: '127.0.0.1:4010', ...length },
        body: body === null ? null : wholeBody(body),
      };
    },
    /** Keeps the upload URL of a reply, so that the bytes go to the mock's own. */
    learn(exchange: Exchange, { body }: Reply): void {
      const { uploadUrl } = objectIn({ body });
      const { uploadUrl: recorded } = objectIn(exchange);
      if (exchange.operation !== 'startSiteFileUpload' || typeof uploadUrl !== 'string') return;
      if (typeof recorded === 'string')
        uploads.set(String(exchange.n), uploadUrl).set(withoutQuery(recorded), uploadUrl);
    },
  };
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '');

const marksIn = (output: unknown): string[] => JSON.stringify(output ?? null).match(/\$[A-Z][A-Z0-9_]*_KEY\b/g) ?? [];

/** Does inside the mock what a hook did inside the product. What the mock cannot do changes no reply of its own. */
function act(
  mock: Mock,
  { target: { tenants } }: Recording,
  { hook, tenant: recorded, input, output, failure }: HookCall,
): void {
  const tenant = fixtureName(recorded);
  const { name = '', record = '', label = '' } = input as Readonly<Record<string, string>>;
  if (failure !== null || !tenants.some((one) => one.name === recorded)) return;
  const ref = { tenant, name };
  const holder = () => {
    const [kind, id = '', , site = ''] = record.split('/');
    return kind === 'client' ? { client: id, site } : kind === 'site' ? { site: id } : { conversation: id };
  };
  const [mark] = marksIn(output);
  const add = (scopes: readonly Scope[]) => mark && mock.keys.add(tenant, secretFor(mark), { name, scopes });
  known(() => {
    if (hook === 'createKey') add((input.scopes as readonly Scope[] | undefined) ?? []);
    if (hook === 'revokeKey') mock.keys.revoke(ref);
    if (hook === 'regenerateKey') add([...mock.keys.revoke(ref).scopes]);
    if (hook === 'raiseLimit')
      mock.keys.edit(ref, { rateLimit: { perSecond: Number(input.perSecond), burst: Number(input.burst) } });
    if (hook === 'applyPrivateLabel') mock.labels.apply(tenant, holder(), label);
    if (hook === 'removePrivateLabel') mock.labels.remove(tenant, holder(), label);
  });
}
