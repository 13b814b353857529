import { expect, it } from 'vitest';
import { interruptAll, type Point, points, signals } from './interrupt.ts';

/** For each command and deployment; by default each signal, before a write is carried out and after. `npm run interruptions` tries more. */
const wantedPoints = Number(process.env.INTERRUPTIONS ?? 2 * signals.length);

/** Of points in turn, the first of a command and deployment. */
function firstOf({ command, deployment }: Pick<Point, 'command' | 'deployment'>): Point[] {
  const found: Point[] = [];
  for (const point of points()) {
    if (found.length === wantedPoints) break;
    if (point.command === command && point.deployment === deployment) found.push(point);
  }
  return found;
}

it.each([
  { command: 'conformance', deployment: 'ordinary' },
  { command: 'conformance', deployment: 'slow' },
  { command: 'load', deployment: 'ordinary' },
  { command: 'load', deployment: 'slow' },
] as const)(
  'a run of $command that a signal ends while it writes to the $deployment deployment is undone by cleanup',
  async (of) => {
    const wanted = firstOf(of);
    const found: string[] = [];
    let tried = 0;
    await interruptAll(wanted.values(), { wanted: wanted.length, jobs: 3 }, (point, differs) => {
      tried++;
      if (differs !== null) found.push(`${JSON.stringify(point)}: ${differs}`);
    });
    expect(found).toEqual([]);
    expect(tried).toBe(wanted.length);
  },
  // Twenty processes, and machines may be busy.
  Math.max(900_000, wantedPoints * 60_000),
);
