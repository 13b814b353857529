import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{spec,mock,conformance,load,bin,fixtures}/**/*.test.ts', '*.test.ts'],
    coverage: {
      provider: 'v8',
      include: ['{spec,mock,conformance,load,bin}/**/*.ts'],
      exclude: ['**/generated/**', '**/*.test.ts'],
    },
  },
});
