import { useQuery } from '@tanstack/react-query';
import { control, type JournalQuery } from '../control/control.ts';
import type { Exchange } from '../control/control-types.ts';
import { useRecordNames } from '../control/record-names.ts';
import { href } from '../navigation/route.ts';
import { HeadRow } from '../parts/head-row.tsx';
import { InlineCode } from '../parts/inline-code.tsx';
import { Instant } from '../parts/instant.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { describeDuration } from '../words/describe-duration.ts';
import { RequestSummary } from './exchange/request-summary.tsx';
import { groupRefusals } from './list/group-refusals.ts';

interface LastRequestsProps {
  readonly tenant: string;
  readonly query: JournalQuery;
  /** The link to the list of all of them. */
  readonly all: string;
}

const maxExchanges = 100;
/** Equal refusals share a row, so the rows may stand for more exchanges. */
const maxRows = 10;

/** The newest requests of a key or for a record, and a link to all of them. */
export function LastRequests({ tenant, query, all }: LastRequestsProps) {
  const names = useRecordNames([tenant]);
  const journal = useQuery({
    queryKey: ['journal', tenant, query],
    queryFn: () => control.journal({ tenant, ...query, limit: maxExchanges }),
    refetchInterval: 2_000,
  });
  return (
    <section aria-labelledby="last-requests">
      <div className="heading">
        <h2 id="last-requests">Last requests</h2>
        <a href={all}>All of them</a>
      </div>
      <Loaded query={journal}>
        {({ exchanges }) =>
          exchanges.length === 0 ? (
            <p className="quiet">No request yet, or the list of requests was cleared.</p>
          ) : (
            <table className="stacking">
              <HeadRow names={['Request', 'Status', 'Time', 'Key', 'Duration', 'Why refused']} />
              <tbody>
                {rowsOf(exchanges).map(({ exchange, count }) => (
                  <tr key={exchange.id}>
                    <th scope="row">
                      {count > 1 && `${count} × `}
                      <a href={href('requests', { id: String(exchange.id) })}>
                        <RequestSummary exchange={exchange} names={names} />
                      </a>
                    </th>
                    <td data-label="Status">
                      <StatusBadge status={exchange.reply.status} broken={exchange.reply.broken} />
                    </td>
                    <td data-label="Time" className="whole">
                      <Instant at={exchange.at} precise />
                    </td>
                    <td data-label="Key" className="whole">
                      {exchange.key ?? '–'}
                    </td>
                    <td data-label="Duration" className="whole">
                      {describeDuration(exchange.milliseconds)}
                    </td>
                    <td data-label="Why refused">{exchange.why === null ? '–' : <InlineCode text={exchange.why} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </section>
  );
}

/** The newest exchange of each row, and how many exchanges the row stands for. */
const rowsOf = (exchanges: readonly Exchange[]) =>
  groupRefusals(exchanges.toReversed(), new Set())
    .slice(0, maxRows)
    .map((row) =>
      row.kind === 'group'
        ? { exchange: row.exchanges[0] as Exchange, count: row.exchanges.length }
        : { exchange: row.exchange, count: 1 },
    );
