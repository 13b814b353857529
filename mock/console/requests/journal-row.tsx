import type { ComponentProps } from 'react';
import type { RecordNames } from '../control/reads.ts';
import { hrefWith } from '../navigation/route.ts';
import { InlineCode, Instant, StatusBadge } from '../parts/text.tsx';
import { describeDuration } from '../parts/words.ts';
import { type JournalRow, newestOf } from './group-refusals.ts';
import { Only } from './only.tsx';
import { RequestSummary } from './request-summary.tsx';

interface JournalRowProps {
  readonly row: JournalRow;
  readonly names: RecordNames;
  /** Counts from 1, without the header row. */
  readonly position: number;
  readonly openId: number | null;
  /** Opens or folds a group. */
  readonly onToggle: (group: number) => void;
  /** Of the link or button that opens the row. */
  readonly opener: Pick<ComponentProps<'a'>, 'tabIndex'> & {
    readonly onKeyDown: (event: React.KeyboardEvent) => void;
    readonly onFocus: () => void;
  };
}

/** One row of the list: an exchange, or a group of equal refusals. */
export function JournalRowView({ row, names, position, openId, onToggle, opener }: JournalRowProps) {
  const exchange = newestOf(row);
  const { id, at, reply, tenant, key, why } = exchange;
  const isGroup = row.kind === 'group';
  const isOpen = id === openId;
  const summary = <RequestSummary exchange={exchange} names={names} />;
  const took = isGroup ? Date.parse(at) - Date.parse(row.exchanges.at(-1)?.at ?? at) : exchange.milliseconds;
  return (
    <tr
      aria-rowindex={position + 1}
      data-state={isOpen && !isGroup ? 'marked' : undefined}
      {...(isGroup ? { 'data-group': row.id } : { 'data-exchange': id })}
    >
      <td className="col-time">
        <Instant at={at} clock />
      </td>
      <td className="col-status">
        <Only values={{ status: String(reply.status) }} tabIndex={-1}>
          <StatusBadge {...reply} />
        </Only>
      </td>
      <td>
        {isGroup ? (
          <button type="button" className="opens" aria-expanded={row.open} onClick={() => onToggle(row.id)} {...opener}>
            <span aria-hidden="true">{row.open ? '▾' : '▸'}</span> <strong>{row.exchanges.length} ×</strong> {summary}
          </button>
        ) : (
          <a
            className="opens"
            href={hrefWith({ id: String(id) })}
            aria-current={isOpen ? 'true' : undefined}
            {...opener}
          >
            {summary}
          </a>
        )}
        {why !== null && (
          <div className="why">
            <InlineCode text={why} />
          </div>
        )}
      </td>
      <td className="col-key">
        {key === null ? (
          <span className="quiet">–</span>
        ) : (
          <Only values={{ tenant, key }} tabIndex={-1}>
            {tenant}/{key}
          </Only>
        )}
      </td>
      <td className="col-took">{describeDuration(took)}</td>
    </tr>
  );
}
