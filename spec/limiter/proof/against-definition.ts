import { seededRandom } from '../../random.ts';
import { envelope } from '../envelope.ts';
import { largestBurst } from '../limit.ts';
import type { Observation } from '../observation.ts';
import { proofs } from '../proofs.ts';
import { leastTaken, widened, windowsOf } from './definition.ts';

/**
 * `npm run limits:definition [HISTORIES] [SEED]`: the judge's fast sweeps against their definition in cubic time, on so many random
 * short histories (ten million by default). Whole milliseconds, so that there are many ties.
 */
const histories = Number(process.argv[2] ?? 1e7);
const random = seededRandom(Number(process.argv[3] ?? 1));
const whole = (below: number) => Math.floor(random() * below);
const statuses = [200, 200, 200, 429, 429, 404, 0];
const [skewMs, lateMs] = [0, 500];
const limits = [1, 2, 5].flatMap((perSecond) => [1, 2, 4].map((burst) => ({ perSecond, burst, drift: 0, tick: 0 })));
const seen = { lax: 0, strict: 0, neither: 0 };

for (let i = 0; i < histories; i += 1) {
  const span = [200, 1000, 3000][whole(3)] ?? 0;
  const observations = Array.from({ length: 1 + whole(9) }, (): Observation => {
    const sentAt = whole(span);
    return { sentAt, doneAt: sentAt + whole(span / 4), status: statuses[whole(statuses.length)] ?? 0 };
  });
  const limit = limits[whole(limits.length)] ?? { perSecond: 1, burst: 1, drift: 0, tick: 0 };
  const perMs = limit.perSecond / 1000;
  const { tooLax, tooStrict } = proofs(limit, envelope(observations, limit, { skewMs, lateMs }));
  const most = largestBurst(limit);
  const lax = windowsOf(widened(observations, 'admitted', skewMs)).some(
    ({ length, count }) => count > Math.floor(most + perMs * length + 1e-6),
  );
  const tokens = limit.burst - leastTaken(observations, perMs, 0, skewMs, lateMs);
  // On the very edge rounding may fall to either side.
  const strict = Math.abs(tokens - 1) < 1e-5 ? tooStrict !== undefined : tokens >= 1;
  if (lax !== (tooLax !== undefined) || strict !== (tooStrict !== undefined)) {
    process.stdout.write(`WRONG ${JSON.stringify({ limit, observations, lax, strict, tooLax, tooStrict })}\n`);
    process.exitCode = 1;
    break;
  }
  seen[lax ? 'lax' : strict ? 'strict' : 'neither'] += 1;
}
process.stdout.write(`${seen.lax + seen.strict + seen.neither} histories: ${JSON.stringify(seen)}\n`);
