import { checkArguments, type FaultSpec, type JournalQuery, shapes } from '../arguments/shapes.ts';
import type { Duration } from '../clock.ts';
import { type Fault, verifyUsed } from '../faults/fault.ts';
import type { Exchange } from '../journal/exchange.ts';
import { selects } from '../journal/query.ts';
import { type Gaps, type Times, type Verification, VerificationError } from '../journal/verification.ts';
import { type AcmeKey, acmeKeys } from '../store/acme-records.ts';
import type { ClonedAcme } from '../store/tenants.ts';
import { type RemoteMock, remoteMock } from './remote-mock.ts';

/** Selects exchanges of this tenant. */
export type PartnerQuery = Omit<JournalQuery, 'tenant'>;

/** A copy of the tenant acme that belongs to one test, with everything the test needs to use it. */
export type PartnerTenant = Omit<Awaited<ReturnType<typeof remoteTenant>>, typeof Symbol.asyncDispose>;

/**
 * Creates a copy of acme through the control API of a mock. At the end of the scope it removes the copy with its keys, faults
 * and exchanges, and resets the clock if the test has changed it.
 * @param url the address of the mock
 */
export async function remoteTenant(url: string) {
  const mock = remoteMock(url);
  const { name, keys, ...named } = await mock.json<ClonedAcme>('/tenants', 'POST', { from: 'acme' });
  const secrets = Object.fromEntries(acmeKeys.map((key) => [key, keys[key].secret]));
  const { conversations, sites, clients, labels } = named;
  const { clock, wasMoved } = remoteClock(mock);
  return {
    /** The address of the mock, for example `http://127.0.0.1:41234`. */
    url,
    /** The name of the tenant in the mock. */
    name,
    /** The secret of the key `full`, which has every scope. */
    apiKey: keys.full.secret,
    /** The secrets of all keys: `partner.keys['only-site-read']`. */
    keys: secrets as Readonly<Record<AcmeKey, string>>,
    /** Ids by status: `partner.conversations.open`. */
    conversations,
    /** Ids: `current` has the open conversation, `legacy` is a number, `plain` has no labels. */
    sites,
    /** Ids of the primary client of the site of the same name. */
    clients,
    /** Ids by name: `partner.labels.vip`. */
    labels,
    /**
     * The mock's clock, which all its tenants share: other tests that use the same mock at the same time see the change too.
     * If this test freezes or moves the clock, it is reset when the test ends.
     */
    clock,
    /** Faults for requests of this tenant only. They end with the test. */
    faults: remoteFaults(mock, name),
    /** The requests with this tenant's keys. A request without a known key belongs to no tenant. */
    journal: remoteJournal(mock, name),
    async [Symbol.asyncDispose]() {
      if (wasMoved()) await clock.reset();
      // A test may have reset the whole mock, which removes every copy.
      await mock.ask(`/tenants/${name}`, 'DELETE').catch(() => undefined);
    },
  };
}

function remoteClock(mock: RemoteMock) {
  let moved = false;
  const move = async (path: string, body: object) => {
    moved = true;
    await mock.ask(path, 'POST', body);
  };
  const clock = {
    /** Milliseconds since the epoch. */
    now: async () => Date.parse((await mock.json<{ now: string }>('/clock')).now),
    /** Stops the clock, now or at an instant (milliseconds or an ISO date-time). */
    freeze: (at?: number | string) => move('/clock/freeze', { at }),
    /** Advances the clock: `await partner.clock.advance('5m')` lets upload URLs expire. */
    advance: (by: Duration) => move('/clock/advance', { by }),
    /** Returns to real time. */
    async reset() {
      await mock.ask('/clock/reset', 'POST', {});
      moved = false;
    },
  };
  return { clock, wasMoved: () => moved };
}

function remoteFaults(mock: RemoteMock, tenant: string) {
  const list = async () => {
    const { faults } = await mock.json<{ faults: Fault[] }>('/faults');
    return faults.filter(({ spec }) => spec.tenant === tenant);
  };
  return {
    /** `await partner.faults.add({ operationId: 'listLabels', reply: { status: 503 }, times: 1 })` */
    add: async (spec: Omit<FaultSpec, 'tenant'>) => mock.json<Fault>('/faults', 'POST', { ...spec, tenant }),
    /** All faults of this test, each with the number of requests it has affected. */
    list,
    /** Fails if a fault of this test has affected no request. */
    verifyUsed: async () => verifyUsed(await list()),
  };
}

function remoteJournal(mock: RemoteMock, tenant: string) {
  const verify = async (expected: object) => {
    const verification = await mock.json<Verification>('/journal/verify', 'POST', expected);
    if (!verification.verified) throw new VerificationError(verification);
  };
  return {
    /** The exchanges that match, newest last. */
    async list(query: PartnerQuery = {}): Promise<Exchange[]> {
      checkArguments(query, shapes().journalQuery);
      // A query string cannot express every query, so all criteria are applied here.
      const of = new URLSearchParams({ tenant, limit: '1000000' });
      type Listed = Omit<Exchange, 'at'> & { at: string };
      const { exchanges } = await mock.json<{ exchanges: Listed[] }>(`/journal?${of}`);
      return exchanges
        .map((exchange): Exchange => ({ ...exchange, at: Date.parse(exchange.at) }))
        .filter(selects(query));
    },
    /** How many exchanges match. */
    count: async (query: PartnerQuery = {}) =>
      (await mock.json<{ count: number }>('/journal/count', 'POST', { ...query, tenant })).count,
    /** `await partner.journal.verify({ operationId: 'listLabels', status: 429 }, { atLeast: 1 })` */
    verify: (query: PartnerQuery, times: Times) => verify({ query: { ...query, tenant }, times }),
    /** Fails unless there is a request for each query, in this order. Other requests may come between them. */
    verifySequence: (queries: readonly PartnerQuery[]) =>
      verify({ sequence: queries.map((query) => ({ ...query, tenant })) }),
    /** `await partner.journal.verifyGaps({ operationId: 'listLabels' }, { atLeast: '2s' })`: at least two seconds apart. */
    verifyGaps: (query: PartnerQuery, gaps: Gaps) => verify({ query: { ...query, tenant }, gaps }),
  };
}
