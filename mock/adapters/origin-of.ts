/**
 * The address under which a client reached the mock: from its `Host` header, or `fallback` if that header is missing or
 * invalid. An invalid header must not keep the mock from answering.
 */
export function originOf(scheme: string, host: string | undefined, fallback: string): string {
  const origin = `${scheme}://${host ?? ''}`;
  return URL.canParse(origin) ? origin : fallback;
}
