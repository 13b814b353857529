/** The mock's public face where nothing listens on a port: this alone is what a bundle for browsers gets. */

export { type Clock, createClock } from './clock.ts';
export { createMock, defaultBodyLimit, type Mock, type MockOptions } from './create-mock.ts';
export type { Fault, FaultSpec } from './faults/fault.ts';
export { parseLatency } from './faults/latency.ts';
export type { Exchange } from './journal/exchange.ts';
export type { JournalQuery } from './journal/query.ts';
export type { Gaps, NearMiss, Times, Verification } from './journal/verification.ts';
export { VerificationError } from './journal/verification-error.ts';
export type { KeyEdit, KeyRef, NewKeyOptions, RevealedKey } from './keys/portal.ts';
export type { ApiReply, ApiRequest } from './message.ts';
export { MockError } from './mock-error.ts';
export type { TenantSeed } from './seed/schema.ts';
export type { Snapshot } from './snapshot/snapshot.ts';
export type { FileInfo } from './storage/mock-files.ts';
export type { HolderRef } from './store/label-holder.ts';
export type { ClonedTenant } from './store/tenancy.ts';
