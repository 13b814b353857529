import type { Around } from './defect.ts';

const [window, maxInWindow] = [20, 12];

/** Breaks the mock while many requests arrive. */
export const underLoad =
  (around: Around): Around =>
  (scene) => {
    const times: number[] = [];
    const broken = around(scene);
    return (request, trace) => {
      const now = scene.mock.clock.now();
      times.push(now);
      while ((times[0] ?? now) < now - window) times.shift();
      return (times.length > maxInWindow ? broken : scene.handle)(request, trace);
    };
  };

/** Breaks the mock only from 40 seconds after its start, when a run is nearly at its end. */
export const late =
  (around: Around): Around =>
  (scene) => {
    const from = scene.mock.clock.now() + 40_000;
    const broken = around(scene);
    return (request, trace) => (scene.mock.clock.now() < from ? scene.handle : broken)(request, trace);
  };
