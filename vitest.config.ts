import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Attacks, floods and real k6: `npm run test:proof`. */
const proof = process.env.PARTNERKIT_PROOF === '1';

export default defineConfig({
  test: {
    // Some tests run the command as a child, and machines may be busy: no test is about its own duration.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 300_000 } },
    // Much of it waits for a browser, k6 or a child: with a worker for each core, cores would stand idle. Vitest takes no percentage above 100.
    maxWorkers: Math.ceil(availableParallelism() * (proof ? 1.5 : 2)),
    // Loading everything anew for each file took an eighth of the time; no file leaves anything behind in its modules.
    isolate: proof,
    // Processes that tests start find compiled what earlier ones have compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/compiled') },
    globalSetup: 'mock/console/build-when-stale.ts',
    // The example is a suite of its own: `npm run test:example`; so are attacks, floods and real k6: `npm run test:proof`.
    exclude: ['**/node_modules/**', 'mock/proof/examples/**', ...(proof ? [] : ['*/proof/**'])],
    include: ['{spec,mock,conformance,load,bin,fixtures}/**/*.test.ts', '*.test.ts'],
    reporters: ['default', './spec/proof/tally/reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['{spec,mock,conformance,load,bin}/**/*.ts'],
      exclude: ['**/generated/**', '**/*.test.ts', 'mock/console/dist/**'],
    },
  },
});
