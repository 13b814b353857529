import { defineConfig } from 'vitest/config';

/** The same tests twice: in one process with the mock (msw), and against its HTTP server. */
export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: 8,
    // Only needed here, where the package is not below node_modules: built code is not to be transformed again.
    server: { deps: { external: [/\/dist\//] } },
    projects: ['msw', 'http'].map((transport) => ({
      extends: true,
      test: { name: transport, root: import.meta.dirname, env: { TRANSPORT: transport } },
    })),
  },
});
