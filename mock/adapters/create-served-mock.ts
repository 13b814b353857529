import { createMock, type Mock as MockInProcess, type MockOptions } from '../create-mock.ts';
import { diskFiles } from '../storage/disk-files.ts';
import { type ListeningMock, type ListenOptions, listen } from './node-http.ts';

/** A mock that can listen on a port. Closing it closes its servers too. */
export interface Mock extends MockInProcess {
  /** Serves the mock over HTTP: `await mock.listen({ port: 0 })`. @throws the error of `server.listen`, for example EADDRINUSE */
  listen(options?: ListenOptions): Promise<ListeningMock>;
}

/**
 * `createMock` for Node. It is a separate function so that bundles for browsers do not contain `node:http`:
 *
 *     await using mock = await createMock();
 *     const { url } = await mock.listen({ port: 0 });
 */
export async function createServedMock(options: MockOptions = {}): Promise<Mock> {
  const { passthrough: to } = options;
  const target = typeof to === 'string' ? { baseUrl: to } : to;
  const passthrough = target && (await import('./deployment.ts')).deploymentAt(target);
  const mock = await createMock({ ...options, passthrough }, diskFiles);
  const servers: ListeningMock[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    await mock.close();
  };
  const served: Mock = {
    ...mock,
    get wrong() {
      return mock.wrong;
    },
    async listen(listenOptions) {
      const server = await listen(served, listenOptions);
      servers.push(server);
      return server;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return served;
}
