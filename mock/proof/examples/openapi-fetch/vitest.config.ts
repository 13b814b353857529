import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    // Only needed here, where the package is not below node_modules: built code is not to be transformed again.
    server: { deps: { external: [/\/dist\//] } },
  },
});
