/** The public API of a mock that does not listen on a port. Bundles for browsers get only this. */

export { ConfigurationError } from '../spec/files/configuration-error.ts';
export type { Profile } from '../spec/files/profile-schema.ts';
export type { OperationId, Scope } from '../spec/operations.ts';
export type { RuleId } from '../spec/rules.ts';
export type {
  FaultSpec,
  JournalOptions,
  JournalQuery,
  KeyEdit,
  NewKeyOptions,
  StatusReply,
} from './arguments/shapes.ts';
export { type Clock, createClock, type Duration } from './clock.ts';
export { createMock, type Labels, type Mock, type MockOptions, type Wrong } from './create-mock.ts';
export type { Fault } from './faults/fault.ts';
export type { Faults } from './faults/faults.ts';
export type { Latency } from './faults/latency.ts';
export type { Exchange, KeptBody } from './journal/exchange.ts';
export type { Journal } from './journal/journal.ts';
export type { Expectation, Gaps, NearMiss, Times, Verification } from './journal/verification.ts';
export { VerificationError } from './journal/verification.ts';
export type { Limiter, RateLimit } from './keys/bucket.ts';
export type { ApiKey, KeyRef, KeyRing, RevealedKey } from './keys/key-ring.ts';
export type { StoredKey } from './keys/stored-key.ts';
export type { ApiReply, ApiRequest } from './message.ts';
export { MockError } from './mock-error.ts';
export type { PassthroughTarget } from './passthrough.ts';
export type { RefusalCase } from './refusal.ts';
export type { LabelSeed, TenantSeed } from './seed/schema.ts';
export type { Snapshot } from './snapshot/restore-snapshot.ts';
export type { SnapshotOptions } from './snapshot/take-snapshot.ts';
export type { FileStore } from './storage/files.ts';
export type { FileInfo, MockFiles } from './storage/mock-files.ts';
export type { IdMap } from './store/clone-seed.ts';
export type { EditableRecords, RecordInput, RecordKind } from './store/editable-records.ts';
export type { HolderRef } from './store/records.ts';
export type { Tenant } from './store/tenant.ts';
export type { ClonedAcme, ClonedTenant, Tenants } from './store/tenants.ts';
export type { FiredFault, Trace } from './trace.ts';
