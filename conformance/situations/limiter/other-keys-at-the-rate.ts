import type { Situation } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { carries, type KeyOfTenant } from '../../target/keys.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { mostThrottled } from './most-throttled.ts';
import { limitOf, lockOf, proofOf, type Senders } from './senders.ts';
import { keysBut } from './volleys.ts';

/** So many keys that are throttled below their rate are no other client's doing. With the measured key, one more than the law demands. */
const maxKeys = 3;

/** Requests in bursts: the time in which a bucket that gets a sixth too few tokens is surely empty. */
const bursts = 8;

/**
 * If the measured key was throttled below its rate: whether other keys are, too, which another client would hardly use at the same time. No key
 * sends faster than its rate.
 */
export const otherKeysAtTheRate = (known: Deployment, measured: KeyOfTenant, senders: Senders): Situation => ({
  id: 'limiter/other-keys-at-the-rate',
  title: `if key ${measured.name} was throttled below its rate, other keys are used at their rate`,
  feeds: ['limiter/steady-rate'],
  uses: ['listLabels'],
  limits: 'parallel',
  locks: [lockOf(measured)],
  async run({ deployment, newId, send, planning, fails }) {
    const { tooStrict, tooLax, off, measured: found } = proofOf(measured, senders);
    // A bucket with the right rate is too small at most.
    if (planning || !tooStrict || tooLax || (found.bucket && off.rate >= 0)) return;
    if (fails('limiter/steady-rate') || fails('limiter/own-bucket-per-key')) return;
    // An operation may have a limit of its own.
    const overload = senders.sent(measured).filter(({ situation }) => situation === 'limiter/sustained');
    const operation = mostThrottled(overload) ?? 'listLabels';
    const [lawful] = lawfulAsks(operation, deployment, newId);
    const keys = keysBut(known, measured)
      .filter((key) => carries(key, deployment.scopesOf(operation)))
      .toSorted((a, b) => a.scopes.length - b.scopes.length);
    await Promise.all(
      keys.slice(0, maxKeys).map(async (key) => {
        const requests = Math.min(maxRequests, bursts * limitOf(key).burst);
        await Promise.all(Array.from({ length: requests }, () => send({ ...lawful?.ask, operation, key })));
      }),
    );
  },
});

/** The limit of a key may be very high. */
const maxRequests = 400;
