import { expect, it } from 'vitest';
import { defects } from '../../proof/defects/index.ts';
import { legalVariants } from '../../proof/legal-variants/index.ts';
import { named } from '../../proof/trials/named.ts';
import { networkProfiles } from '../../proof/trials/network-profiles.ts';
import { tryDefect, tryVariant } from '../../proof/trials/trial.ts';
import { judgeBy } from '../judging/judge.ts';
import { limiter } from './limiter.ts';

const rule = 'limiter/over-the-rate-is-429';
const rules = new Set([rule] as const);
const judged = (history: Parameters<typeof judgeBy>[1]) => judgeBy(named(limiter, rule), history);

it.each(['held-back', 'held-back-beyond-the-burst', 'removals-held-back'])(
  'blames a limiter that delays one key while another key is served: %s',
  async (id) => {
    const { outcome, message } = judged((await tryDefect(named(defects, `limiter/${id}`), { rules })).history);
    expect(outcome).toBe('fail');
    expect(message).toMatch(
      /late replies in place of 429: the limiter holds requests back: \d+ requests of key acme\/limits were answered one after the other, 10\.0 per second, the last after \d\.\d s, while \d+ requests of other keys/,
    );
  },
);

it('says of a server that is slow for all keys what it serves, and blames no limiter', async () => {
  const { history } = await tryVariant(named(legalVariants, 'slow-server'), { rules });
  const results = limiter.map((law) => judgeBy(law, history));
  expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  const words = results.flatMap(({ message, finding }) => [message, ...(finding.answers ?? [])]).join();
  expect(words).toMatch(/this deployment serves 1[01]\.\d requests per second at most here/);
  expect(words).not.toMatch(/holds requests back/);
});

it('blames nobody who serves a burst late, and throttles what comes on top', async () => {
  const { history } = await tryVariant(named(legalVariants, 'burst-held-back'), { rules });
  expect(limiter.map((law) => judgeBy(law, history)).filter(({ outcome }) => outcome === 'fail')).toEqual([]);
});

it('says of 503 that 429 is documented', async () => {
  const { history } = await tryDefect(named(defects, 'limiter/answers-503'), {
    rules: new Set(['limiter/over-the-rate-is-429', 'limiter/429-comes-before-the-handler']),
  });
  expect(judged(history).message).toMatch(/503 where 429 is documented, for \d+ of \d+ requests/);
});

it.each([
  ['the measured key', { seed: 6 }],
  ['other keys', { seed: 77, slow: false }],
])(
  'blames no bucket of %s that refills in steps of a second, where late replies let a smaller one explain as much',
  async (_, options) => {
    const network = networkProfiles.find(({ id }) => id === 'late');
    const { history } = await tryVariant(named(legalVariants, 'refill-every-1000-ms'), {
      ...options,
      ...(network && { network }),
    });
    const failed = limiter.map((law) => judgeBy(law, history)).filter(({ outcome }) => outcome === 'fail');
    expect(failed.map(({ message }) => message)).toEqual([]);
  },
);
