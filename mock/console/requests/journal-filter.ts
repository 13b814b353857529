import type { Exchange } from '../control/control.ts';

export const noKey = 'no known key';

const names = ['tenant', 'key', 'operation', 'status', 'text'] as const;

/**
 * The tenant is `noKey` for exchanges without a known key, the status one such as `404`, a class such as `4xx`, or one of `kinds`. The text is searched
 * in URL, bodies, reason and fault, ignoring case.
 */
export type JournalFilter = Readonly<Record<(typeof names)[number], string>>;

/** The filter in an address. */
export const filterOf = (params: URLSearchParams) =>
  Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as JournalFilter;

const searchText = ({ request, reply, why, rule, fault, key, operationId }: Exchange): string =>
  [request.method, request.url, operationId, key, why, rule, `(${fault})`, request.body?.text, reply.body?.text]
    .join('\n')
    .toLowerCase();

/** Whether an exchange matches the filter. An empty field matches everything. */
export function matches(filter: JournalFilter, exchange: Exchange): boolean {
  const { tenant, key, operation, status, text } = filter;
  if (tenant !== '' && (exchange.tenant ?? noKey) !== tenant) return false;
  if (key !== '' && exchange.key !== key) return false;
  if (operation !== '' && exchange.operationId !== operation) return false;
  if (status !== '' && !hasStatus(exchange, status)) return false;
  return text === '' || searchText(exchange).includes(text.toLowerCase());
}

/** A fault or a Prefer header may also change the reply of a request that is served. */
export const isRefused = ({ reply, refused }: Exchange) => refused !== null && reply.status >= 400;

/** What is told of a reply beside its status. */
export const kinds: Readonly<Record<string, (exchange: Exchange) => boolean>> = {
  refused: isRefused,
  'wrong on purpose': ({ breaks }) => breaks !== null,
};

function hasStatus(exchange: Exchange, status: string): boolean {
  const code = String(exchange.reply.status);
  return kinds[status]?.(exchange) ?? (status.endsWith('xx') ? code[0] === status[0] : code === status);
}
