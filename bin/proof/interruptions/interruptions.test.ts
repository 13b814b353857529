import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import { interrupt, points } from './interrupt.ts';

/** For each command and deployment; by default each signal, before a write is carried out and after. `npm run interruptions` tries more. */
const wanted = Number(process.env.INTERRUPTIONS ?? 10);

it.each([
  { command: 'conformance', deployment: 'ordinary' },
  { command: 'conformance', deployment: 'slow' },
  { command: 'load', deployment: 'ordinary' },
  { command: 'load', deployment: 'slow' },
] as const)(
  'a run of $command that a signal ends while it writes to the $deployment deployment is undone by cleanup',
  async ({ command, deployment }) => {
    const ended = await pLimit(3).map(points(command, deployment, wanted), async (point) => ({
      ...point,
      differs: await interrupt(point),
    }));
    expect(ended.filter(({ differs }) => differs !== null)).toEqual([]);
  },
  // Twenty processes, and machines may be busy.
  Math.max(900_000, wanted * 60_000),
);
