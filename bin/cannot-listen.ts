/** Why a mock could not listen, and what to do. */
export function cannotListen(
  { code = '', message }: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; stop the program that listens there, or give another --port (0 chooses a free one)`;
  if (code === 'EACCES') return `port ${port} on ${host} is not allowed for this user; give a --port above 1023`;
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return `--host ${host} is not an address of this machine; give 127.0.0.1, ::1 or 0.0.0.0`;
  return `cannot listen on ${host}:${port}: ${message}`;
}
