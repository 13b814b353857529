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
import { What } from './exchange/what.tsx';
import { groupRefusals } from './list/group-refusals.ts';

interface LastRequestsProps {
  readonly tenant: string;
  readonly query: JournalQuery;
  /** Where all of them are listed. */
  readonly all: string;
}

/** Of these so many rows are shown, equal refusals as one. */
const asked = 100;
const most = 10;

/** The newest requests about something, and a way to the others. */
export function LastRequests({ tenant, query, all }: LastRequestsProps) {
  const names = useRecordNames([tenant]);
  const journal = useQuery({
    queryKey: ['journal', tenant, query],
    queryFn: () => control.journal({ tenant, ...query, limit: asked }),
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
            <p className="quiet">None since the mock started, or they were cleared.</p>
          ) : (
            <table className="stacking">
              <HeadRow names={['Request', 'Status', 'At', 'Key', 'Took', 'Why refused']} />
              <tbody>
                {rowsOf(exchanges).map(({ exchange, count }) => (
                  <tr key={exchange.id}>
                    <th scope="row">
                      {count > 1 && `${count} × `}
                      <a href={href('requests', { id: String(exchange.id) })}>
                        <What exchange={exchange} names={names} />
                      </a>
                    </th>
                    <td data-label="Status">
                      <StatusBadge status={exchange.reply.status} broken={exchange.reply.broken} />
                    </td>
                    <td data-label="At" className="whole">
                      <Instant at={exchange.at} precise />
                    </td>
                    <td data-label="Key" className="whole">
                      {exchange.key ?? '–'}
                    </td>
                    <td data-label="Took" className="whole">
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

/** The newest exchange of each row, with how many it stands for. */
const rowsOf = (exchanges: readonly Exchange[]) =>
  groupRefusals(exchanges.toReversed(), new Set())
    .slice(0, most)
    .map((row) =>
      row.kind === 'group'
        ? { exchange: row.exchanges[0] as Exchange, count: row.exchanges.length }
        : { exchange: row.exchange, count: 1 },
    );
