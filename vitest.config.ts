import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Attacks, floods and real k6: `npm run test:proof`. */
const proof = process.env.PARTNERKIT_PROOF === '1';

/**
 * Files that say why they are slow come early, so that none is left alone at the end; where nothing is known of earlier runs, the
 * largest would come first. Most of them wait, so each has one beside it that computes.
 */
class SlowAmongOthers extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const slow = sorted.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').includes('// Slow, because '));
    const others = sorted.filter((file) => !slow.includes(file));
    return [...others.flatMap((file, i) => [...slow.slice(i, i + 1), file]), ...slow.slice(others.length)];
  }
}

export default defineConfig({
  test: {
    // Some tests run the command as a child, and machines may be busy: no test is about its own duration.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 300_000 } },
    // On a slow machine a page may be read before it is painted. The summary names the test that needed its second try.
    retry: process.env.CI ? 1 : 0,
    // Much of it waits for a browser, k6 or a child: with a worker for each core, cores would stand idle. Vitest takes no percentage above 100.
    maxWorkers: Math.ceil(availableParallelism() * (proof ? 1.5 : 2)),
    // Loading everything anew for each file took an eighth of the time; no file leaves anything behind in its modules.
    isolate: proof,
    // Processes that tests start find compiled what earlier ones have compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/compiled') },
    sequence: { sequencer: SlowAmongOthers },
    globalSetup: 'mock/console/build-when-stale.ts',
    // The example is a suite of its own: `npm run test:example`; so are attacks, floods and real k6: `npm run test:proof`.
    exclude: ['**/node_modules/**', 'mock/proof/examples/**', ...(proof ? [] : ['*/proof/**'])],
    include: ['{spec,mock,conformance,load,fidelity,bin,fixtures}/**/*.test.ts', '*.test.ts'],
  },
});
