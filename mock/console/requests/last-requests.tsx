import { control, type JournalQuery } from '../control/control.ts';
import type { Exchange } from '../control/control-types.ts';
import { useRead, useRecordNames } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Table } from '../parts/table.tsx';
import { InlineCode, Instant, Loaded, StatusBadge } from '../parts/text.tsx';
import { describeDuration } from '../parts/words.ts';
import { groupRefusals, newestOf } from './group-refusals.ts';
import { RequestSummary } from './request-summary.tsx';

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
  const read = () => control.journal({ tenant, ...query, limit: maxExchanges });
  const journal = useRead(['journal', tenant, query], read, { every: 2_000 });
  return (
    <section aria-labelledby="last-requests">
      <div className="heading">
        <h2 id="last-requests">Last requests</h2>
        <a href={all}>All of them</a>
      </div>
      <Loaded query={journal}>
        {(exchanges) => (
          <Table
            rows={rowsOf(exchanges)}
            keyOf={({ exchange }) => exchange.id}
            none="No request yet, or the list of requests was cleared."
            columns={[
              {
                name: 'Request',
                cell: ({ exchange, count }) => (
                  <>
                    {count > 1 && `${count} × `}
                    <a href={href('requests', { id: String(exchange.id) })}>
                      <RequestSummary exchange={exchange} names={names} />
                    </a>
                  </>
                ),
              },
              { name: 'Status', cell: ({ exchange: { reply } }) => <StatusBadge {...reply} /> },
              { name: 'Time', kind: 'whole', cell: ({ exchange }) => <Instant at={exchange.at} /> },
              { name: 'Key', kind: 'whole', cell: ({ exchange }) => exchange.key ?? '–' },
              { name: 'Took', kind: 'whole', cell: ({ exchange }) => describeDuration(exchange.milliseconds) },
              {
                name: 'Why refused',
                cell: ({ exchange: { why } }) => (why === null ? '–' : <InlineCode text={why} />),
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

/** The newest exchange of each row, and how many exchanges the row stands for. */
const rowsOf = (exchanges: readonly Exchange[]) =>
  groupRefusals(exchanges.toReversed(), new Set())
    .slice(0, maxRows)
    .map((row) => ({ exchange: newestOf(row), count: row.kind === 'group' ? row.exchanges.length : 1 }));
