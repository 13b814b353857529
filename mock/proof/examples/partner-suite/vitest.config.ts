import { defineConfig } from 'vitest/config';

/** `partnerkit certify` brings a mock of its own, with faults of its own: the everyday alone is played with it. */
const certified = process.env.PARTNERKIT_URL !== undefined;

/** Otherwise the same tests twice: in one process with the mock (msw), and against its HTTP server. */
export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: 8,
    // Not in the project: vitest before 3.2 knows no projects, and runs the tests once.
    exclude: certified ? [] : ['everyday.test.ts'],
    // Only needed here, where the package is not below node_modules: built code is not to be transformed again.
    server: { deps: { external: [/\/dist\//] } },
    projects: (certified ? ['http'] : ['msw', 'http']).map((transport) => ({
      extends: true,
      test: {
        name: transport,
        root: import.meta.dirname,
        env: { TRANSPORT: transport },
        include: [certified ? 'everyday.test.ts' : '*.test.ts'],
      },
    })),
  },
});
