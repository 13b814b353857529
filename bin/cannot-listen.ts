/** Why a mock could not listen, and what to do. */
export function cannotListen(
  error: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken; stop what listens there, or give another --port (0 takes a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} is not permitted to this user; give a --port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `--host ${host} is no address of this machine; give 127.0.0.1, ::1 or 0.0.0.0`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}`;
  }
}
