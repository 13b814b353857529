import type { Told } from './defect.ts';

const [window, maxInWindow] = [20, 12];

/** Breaks the mock while many requests arrive. */
export const underLoad = (around: Told): Told =>
  Object.assign(
    (scene: Parameters<Told>[0]) => {
      const times: number[] = [];
      const broken = around(scene);
      const handle: ReturnType<Told> = (request, trace) => {
        const now = scene.mock.clock.now();
        times.push(now);
        while ((times[0] ?? now) < now - window) times.shift();
        return (times.length > maxInWindow ? broken : scene.handle)(request, trace);
      };
      return handle;
    },
    { does: around.does && `while many requests arrive, ${around.does}` },
  );

/** Breaks the mock only from 40 seconds after its start, when a run is nearly at its end. */
export const late = (around: Told): Told =>
  Object.assign(
    (scene: Parameters<Told>[0]) => {
      const from = scene.mock.clock.now() + 40_000;
      const broken = around(scene);
      const handle: ReturnType<Told> = (request, trace) =>
        (scene.mock.clock.now() < from ? scene.handle : broken)(request, trace);
      return handle;
    },
    { does: around.does && `after 40 seconds ${around.does}` },
  );
