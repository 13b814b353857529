import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Some tests run the command as a child, and machines may be busy: no test is about its own duration.
    testTimeout: process.env.PARTNERKIT_PROOF === '1' ? 300_000 : 60_000,
    // Much of it waits for a browser, k6 or a child: a core kept free, as is usual, would stand idle.
    maxWorkers: '100%',
    hookTimeout: 60_000,
    globalSetup: 'mock/console/build-when-stale.ts',
    // The example is a suite of its own: `npm run test:example`; so are attacks, floods and real k6: `npm run test:proof`.
    exclude: [
      '**/node_modules/**',
      'mock/proof/examples/**',
      ...(process.env.PARTNERKIT_PROOF === '1' ? [] : ['*/proof/**']),
    ],
    include: ['{spec,mock,conformance,load,bin,fixtures}/**/*.test.ts', '*.test.ts'],
    reporters: ['default', './spec/proof/tally/reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['{spec,mock,conformance,load,bin}/**/*.ts'],
      exclude: ['**/generated/**', '**/*.test.ts', 'mock/console/dist/**'],
    },
  },
});
