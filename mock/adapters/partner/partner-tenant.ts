import type { Duration } from '../../clock.ts';
import type { Fault, FaultSpec } from '../../faults/fault.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { JournalQuery } from '../../journal/query.ts';
import type { Gaps, Times } from '../../journal/verification.ts';
import type { AcmeIds, AcmeKey } from '../../store/acme-records.ts';

export type { AcmeIds, AcmeKey };

/** Selects exchanges of this tenant. */
export type PartnerQuery = Omit<JournalQuery, 'tenant'>;

/** A copy of the tenant acme that belongs to one test, with everything the test needs to use it. */
export interface PartnerTenant {
  /** The address of the mock, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  /** The name of the tenant in the mock. */
  readonly name: string;
  /** The secret of the key `full`, which has every scope. */
  readonly apiKey: string;
  /** The secrets of all keys: `partner.keys['only-site-read']`. */
  readonly keys: Readonly<Record<AcmeKey, string>>;
  /** Ids by status: `partner.conversations.open`. */
  readonly conversations: AcmeIds<'conversations'>;
  /** Ids: `current` has the open conversation, `legacy` is a number, `plain` has no labels. */
  readonly sites: AcmeIds<'sites'>;
  /** Ids of the primary client of the site of the same name. */
  readonly clients: AcmeIds<'clients'>;
  /** Ids by name: `partner.labels.vip`. */
  readonly labels: AcmeIds<'labels'>;
  /** Maps an id of `fixtures/acme.yaml` to the id in this copy. @throws Error for an unknown id */
  id(original: string): string;
  /**
   * The mock's clock, which all its tenants share: other tests that use the same mock at the same time see the change too.
   * If this test freezes or moves the clock, it is reset when the test ends.
   */
  readonly clock: PartnerClock;
  /** Faults for requests of this tenant only. They end with the test. */
  readonly faults: PartnerFaults;
  /** The requests with this tenant's keys. A request without a known key belongs to no tenant. */
  readonly journal: PartnerJournal;
}

/** The clock of the mock, which drives upload URLs and rate limits. */
export interface PartnerClock {
  /** Milliseconds since the epoch. */
  now(): Promise<number>;
  /** Stops the clock, now or at an instant (milliseconds or an ISO date-time). */
  freeze(at?: number | string): Promise<void>;
  /** Advances the clock: `await partner.clock.advance('5m')` lets upload URLs expire. */
  advance(by: Duration): Promise<void>;
  /** Returns to real time. */
  reset(): Promise<void>;
}

/** Faults to be injected into the requests of one tenant. */
export interface PartnerFaults {
  /** `await partner.faults.add({ operationId: 'listLabels', reply: { status: 503 }, times: 1 })` */
  add(spec: Omit<FaultSpec, 'tenant'>): Promise<Fault>;
  /** All faults of this test, each with the number of requests it has affected. */
  list(): Promise<Fault[]>;
  /** Fails if a fault of this test has affected no request. */
  verifyUsed(): Promise<void>;
}

/** The requests of one tenant and their replies. */
export interface PartnerJournal {
  /** The exchanges that match, newest last. */
  list(query?: PartnerQuery): Promise<Exchange[]>;
  /** How many exchanges match. */
  count(query?: PartnerQuery): Promise<number>;
  /** `await partner.journal.verify({ operationId: 'listLabels', status: 429 }, { atLeast: 1 })` */
  verify(query: PartnerQuery, times: Times): Promise<void>;
  /** Fails unless there is a request for each query, in this order. Other requests may come between them. */
  verifySequence(queries: readonly PartnerQuery[]): Promise<void>;
  /** `await partner.journal.verifyGaps({ operationId: 'listLabels' }, { atLeast: '2s' })`: at least two seconds apart. */
  verifyGaps(query: PartnerQuery, gaps: Gaps): Promise<void>;
}
