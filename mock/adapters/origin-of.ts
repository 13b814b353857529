/**
 * The address under which a client reached us: as its `Host` header has it, or `fallback` where that header is missing or
 * names no host. Whatever a client sends there must not keep the mock from answering.
 */
export function originOf(scheme: string, host: string | undefined, fallback: string): string {
  const origin = `${scheme}://${host ?? ''}`;
  return URL.canParse(origin) ? origin : fallback;
}
