import type { TestProject } from 'vitest/node';
import { createServedMock } from './create-served-mock.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the mock that `partnerkit/vitest/setup` started. */
    partnerkitUrl: string;
  }
}

/**
 * Global set-up of vitest: one mock on a free port of this machine for the whole run, or the one that PARTNERKIT_URL names, as
 * under `partnerkit certify -- npx vitest run`. Keys have the limits of the fixture.
 *
 *     export default defineConfig({ test: { globalSetup: 'partnerkit/vitest/setup' } });
 *
 * @returns what stops it
 */
export default async function startMock(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const running = process.env.PARTNERKIT_URL;
  if (running !== undefined) {
    project.provide('partnerkitUrl', running);
    return async () => undefined;
  }
  const mock = await createServedMock();
  const { url } = await mock.listen({ port: 0, keepAlive: false });
  project.provide('partnerkitUrl', url);
  return () => mock.close();
}
