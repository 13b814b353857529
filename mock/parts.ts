import { seededRandom } from '../spec/random.ts';
import { createClock } from './clock.ts';
import type { MockOptions } from './create-mock.ts';
import { Faults } from './faults/faults.ts';
import { latencySampler } from './faults/latency.ts';
import { Journal } from './journal/journal.ts';
import { defaultRateLimit } from './keys/bucket.ts';
import { KeyRing } from './keys/key-ring.ts';
import { MockError } from './mock-error.ts';
import { isDeployment } from './passthrough.ts';
import { behaviourOf } from './profile/behaviour.ts';
import { defaultSeeds } from './seed/generated/tenants.ts';
import type { FileStore } from './storage/files.ts';
import type { StoredBytes } from './store/site-file.ts';
import { Tenants } from './store/tenants.ts';

/** What a mock is made of. */
export type Parts = ReturnType<typeof partsOf>;

/** The specification says 10MB, which has two meanings. Our decision is 10 * 1024 * 1024. */
export const defaultBodyLimit = 10 * 1024 * 1024;

/** Any page in the browser can upload files to the mock. It must not fill the disk. */
const defaultStorageLimit = 1_000_000_000;

const unlimited = { perSecond: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY };

/** Makes the parts of a mock, with the options that were checked. */
export function partsOf(options: MockOptions, newFiles: () => FileStore) {
  const { seeds = defaultSeeds, clock = createClock(), files: store = newFiles(), onError = console.error } = options;
  const { passthrough: deployment, publicUrl, latency } = options;
  if (deployment !== undefined && !isDeployment(deployment))
    throw new MockError('invalid', 'passthrough: needs a mock of Node, which can listen');
  const limited = options.rateLimit !== false;
  const usual = limited ? defaultRateLimit : unlimited;
  const { perSecond = usual.perSecond, burst = usual.burst } = options.rateLimit || {};
  const behaviour = behaviourOf(options.profile);
  const faults = new Faults({ now: clock.now, isTenant: (name) => tenants.has(name) });
  const keys = new KeyRing({
    defaultLimit: { perSecond, burst },
    createLimiter: behaviour.limiterOf(options.createLimiter),
    now: clock.now,
    checkTenant: (name) => tenants.existing(name),
    // What is read is redacted.
    onForget: () => void journal.list(),
  });
  const journal = new Journal(options.journal === false ? { entries: 0 } : options.journal, keys.secrets);
  /** Removes stored bytes that are no longer used. */
  const discard = (bytes: readonly StoredBytes[]) => {
    for (const { blob } of bytes) store.remove(blob).catch(onError);
  };
  const onRemoved = (name: string) => {
    faults.clear(name);
    journal.forget(name);
  };
  const deployed = deployment?.tenants;
  const tenants = new Tenants(seeds, { keys, limited, now: clock.now, discard, onRemoved, deployed });
  for (const value of Object.values(deployment?.headers ?? {})) keys.secrets.add(value, '…');
  return {
    ...{ clock, keys, tenants, faults, journal, discard },
    /** The bytes of uploads. */
    store,
    /** How many bytes all uploads may have together. */
    storageLimit: options.storageLimit ?? defaultStorageLimit,
    /** What this deployment does where the specification is silent. */
    behaviour,
    /** The largest request body in bytes. */
    bodyLimit: options.bodyLimit ?? behaviour.bodyLimit ?? defaultBodyLimit,
    /** Milliseconds by which each reply is delayed; undefined for none. */
    delay: latency === undefined ? undefined : latencySampler(latency, seededRandom(1)),
    /** The address for which upload URLs are signed, if requests arrive at another one. */
    publicUrl,
    /** Answers what the mock does not know. */
    deployment,
    /** Is called with internal errors. The client gets a plain 500. */
    onError,
  };
}
