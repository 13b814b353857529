import type { Clock } from './clock.ts';
import type { Faults } from './faults/faults.ts';
import type { Journal } from './journal/journal.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Deployment } from './passthrough.ts';
import type { Behaviour } from './profile/behaviour.ts';
import type { FileStore } from './storage/files.ts';
import type { Tenants } from './store/tenants.ts';

/** What a mock is made of. */
export interface Parts {
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly tenants: Tenants;
  /** The bytes of uploads. */
  readonly store: FileStore;
  /** How many bytes all uploads may have together. */
  readonly storageLimit: number;
  readonly faults: Faults;
  readonly journal: Journal;
  /** What this deployment does where the specification is silent. */
  readonly behaviour: Behaviour;
  /** The largest request body in bytes. */
  readonly bodyLimit: number;
  /** Milliseconds by which each reply is delayed; undefined for none. */
  readonly delay: (() => number) | undefined;
  /** The address for which upload URLs are signed, if requests arrive at another one. */
  readonly publicUrl: string | undefined;
  /** Answers what the mock does not know. */
  readonly deployment: Deployment | undefined;
  /** Is called with internal errors. The client gets a plain 500. */
  readonly onError: (error: unknown) => void;
}
