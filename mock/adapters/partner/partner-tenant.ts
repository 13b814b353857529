import type { Duration } from '../../clock.ts';
import type { Fault, FaultSpec } from '../../faults/fault.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { JournalQuery } from '../../journal/query.ts';
import type { Gaps, Times } from '../../journal/verification.ts';
import type { AcmeKey, acmeRecords } from './acme-records.ts';

export type { AcmeKey };

/** An id for each of the fixture's names. */
export type AcmeIds<Kind extends keyof typeof acmeRecords> = Readonly<Record<keyof (typeof acmeRecords)[Kind], string>>;

/** Which exchanges are wanted, of this tenant. */
export type PartnerQuery = Omit<JournalQuery, 'tenant'>;

/** A copy of the tenant acme that belongs to one test: all that the test needs to talk to it, and to nobody else's. */
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
  /** Ids: `current` has the open conversation, `legacy` is a bare number, `plain` has no labels. */
  readonly sites: AcmeIds<'sites'>;
  /** Ids of the primary client of the site of the same name. */
  readonly clients: AcmeIds<'clients'>;
  /** Ids by name: `partner.labels.vip`. */
  readonly labels: AcmeIds<'labels'>;
  /** The id that stands here for one of `fixtures/acme.yaml` that has no name above. @throws Error where there is none */
  id(original: string): string;
  /**
   * The mock's clock, which all its tenants share. A test that runs at the same time on the same mock sees it moved, too; what this
   * test froze or moved is put right when it ends.
   */
  readonly clock: PartnerClock;
  /** Faults for requests of this tenant alone; they end with the test. */
  readonly faults: PartnerFaults;
  /** What this tenant's keys have asked for. A request without a key, or with one nobody knows, belongs to no tenant. */
  readonly journal: PartnerJournal;
}

/** The clock of the mock, which upload URLs and rate limits go by. */
export interface PartnerClock {
  /** Milliseconds since the epoch. */
  now(): Promise<number>;
  /** Stops the clock, now or at an instant (milliseconds or an ISO date-time). */
  freeze(at?: number | string): Promise<void>;
  /** Moves it on: `await partner.clock.advance('5m')` lets upload URLs expire. */
  advance(by: Duration): Promise<void>;
  /** Back to real time. */
  reset(): Promise<void>;
}

/** Faults to be injected into the requests of one tenant. */
export interface PartnerFaults {
  /** `await partner.faults.add({ operationId: 'listLabels', reply: { status: 503 }, times: 1 })` */
  add(spec: Omit<FaultSpec, 'tenant'>): Promise<Fault>;
  /** Those in force, each with how often it struck. */
  list(): Promise<Fault[]>;
  /** Fails where a fault of this test has struck no request. */
  verifyUsed(): Promise<void>;
}

/** The requests of one tenant and what was answered. */
export interface PartnerJournal {
  /** The exchanges that fit, newest last. */
  list(query?: PartnerQuery): Promise<Exchange[]>;
  /** How many fit. */
  count(query?: PartnerQuery): Promise<number>;
  /** `await partner.journal.verify({ operationId: 'listLabels', status: 429 }, { atLeast: 1 })` */
  verify(query: PartnerQuery, times: Times): Promise<void>;
  /** Fails unless there is a request for each query in turn; others may stand between them. */
  verifySequence(queries: readonly PartnerQuery[]): Promise<void>;
  /** `await partner.journal.verifyGaps({ operationId: 'listLabels' }, { atLeast: '2s' })`: not again before two seconds. */
  verifyGaps(query: PartnerQuery, gaps: Gaps): Promise<void>;
}
