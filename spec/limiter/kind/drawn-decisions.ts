import type { Observation } from '../observation.ts';

/**
 * A moment for each request at which it may have been decided: the quickest round trip half there and half back, and what a request
 * took beyond that shared out at random. The same `round` draws the same.
 */
export function drawnDecisions(observations: readonly Observation[], round: number): number[] {
  const quickest = Math.min(...observations.map(({ sentAt, doneAt }) => doneAt - sentAt));
  return observations.map(
    ({ sentAt, doneAt }, index) => sentAt + quickest / 2 + draw(index, round) * (doneAt - sentAt - quickest),
  );
}

/** A number in [0, 1) that looks drawn. k6 and browsers need no generator for it. */
function draw(index: number, round: number): number {
  const product = Math.sin(index * 12.9898 + round * 78.233) * 43758.5453;
  return product - Math.floor(product);
}
