/** Why a mock could not listen, and what to do. */
export const cannotListen = (
  { code, message }: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): string =>
  code === 'EADDRINUSE'
    ? `port ${port} on ${host} is in use; stop the program that listens there, or give another --port (0 chooses a free one)`
    : `cannot listen on ${host}:${port}: ${message}; give another --host or --port`;
