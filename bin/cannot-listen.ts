/** Why a mock could not listen, and what to do. */
export function cannotListen(
  error: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; stop the program that listens there, or give another --port (0 chooses a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} is not allowed for this user; give a --port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `--host ${host} is not an address of this machine; give 127.0.0.1, ::1 or 0.0.0.0`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}`;
  }
}
