import { expect, test } from 'vitest';
import { envelope } from '../envelope.ts';
import { measuredIn } from '../measure.ts';
import { fixedWindowModel } from '../proof/simulation/limiters.ts';
import { networks } from '../proof/simulation/networks.ts';
import { simulate } from '../proof/simulation/simulate.ts';
import { kindOf } from './kind.ts';

const limit = { perSecond: 10, burst: 20 };
const times = Array.from({ length: 300 }, (_, index) => index * 60);
const observations = simulate(times, networks['0 ms'], fixedWindowModel(10, 1000, 'clock'), 1);

test.each([
  ['names a window that would have admitted what is proven', 80, 'window'],
  ['names no window that contradicts what is proven', 111, undefined],
])('%s', (_, admitted, name) => {
  const kind = kindOf({
    limit,
    observations,
    measured: { ...measuredIn(envelope(observations, limit, {}), limit), bucket: false },
    lax: true,
    tooLax: { from: 0, to: 7230, admitted },
    strict: false,
    again: () => ({ lax: true, strict: false }),
  });
  expect(kind?.name).toBe(name);
});
