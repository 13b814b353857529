import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The example is a suite of its own: `npm run test:example`.
    exclude: ['**/node_modules/**', 'mock/examples/**'],
    include: ['{spec,mock,conformance,load,bin,fixtures}/**/*.test.ts', '*.test.ts'],
    coverage: {
      provider: 'v8',
      include: ['{spec,mock,conformance,load,bin}/**/*.ts'],
      exclude: ['**/generated/**', '**/*.test.ts'],
    },
  },
});
