import type { KeyboardEvent, ReactNode } from 'react';
import type { Exchange } from '../../control/control-types.ts';
import type { RecordNames } from '../../control/record-names.ts';
import { hrefWith } from '../../navigation/route.ts';
import { InlineCode } from '../../parts/inline-code.tsx';
import { Instant } from '../../parts/instant.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { describeDuration } from '../../words/describe-duration.ts';
import { RequestSummary } from '../exchange/request-summary.tsx';
import type { JournalRow } from './group-refusals.ts';

interface JournalRowProps {
  readonly row: JournalRow;
  readonly names: RecordNames;
  /** Counts from 1, without the header row. */
  readonly position: number;
  readonly openId: number | null;
  /** True for the one row in the tab order. Arrow keys reach the other rows. */
  readonly reachable: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
  /** Opens or folds a group. */
  readonly onToggle: (group: number) => void;
}

/** One row of the list: an exchange, or a group of equal refusals. */
export function JournalRowView({
  row,
  names,
  position,
  openId,
  reachable,
  onKeyDown,
  onFocus,
  onToggle,
}: JournalRowProps) {
  const inOrder = { tabIndex: reachable ? 0 : -1, onKeyDown, onFocus };
  if (row.kind === 'exchange') {
    const { exchange } = row;
    const open = exchange.id === openId;
    return (
      <tr aria-rowindex={position + 1} data-open={open} data-exchange={exchange.id}>
        <Cells exchange={exchange} took={describeDuration(exchange.milliseconds)}>
          <a
            className="opens"
            href={hrefWith({ id: String(exchange.id) })}
            aria-current={open ? 'true' : undefined}
            {...inOrder}
          >
            <RequestSummary exchange={exchange} names={names} />
          </a>
        </Cells>
      </tr>
    );
  }
  const { id, exchanges, open } = row;
  const [newest, oldest] = [exchanges[0], exchanges.at(-1)];
  if (newest === undefined || oldest === undefined) return null;
  return (
    <tr aria-rowindex={position + 1} data-group={id}>
      <Cells exchange={newest} took={describeDuration(Date.parse(newest.at) - Date.parse(oldest.at))}>
        <button type="button" className="opens" aria-expanded={open} onClick={() => onToggle(id)} {...inOrder}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> <strong>{exchanges.length} ×</strong>{' '}
          <RequestSummary exchange={newest} names={names} />
        </button>
      </Cells>
    </tr>
  );
}

interface CellsProps {
  readonly exchange: Exchange;
  readonly took: string;
  readonly children: ReactNode;
}

function Cells({ exchange: { at, reply, tenant, key, why }, took, children }: CellsProps) {
  return (
    <>
      <td className="col-time">
        <Instant at={at} precise />
      </td>
      <td className="col-status">
        <a href={hrefWith({ status: String(reply.status) })} title={`Only ${reply.status}`} tabIndex={-1}>
          <StatusBadge status={reply.status} broken={reply.broken} />
        </a>
      </td>
      <td className="col-request">{children}</td>
      <td className="col-key">
        {key === null ? (
          <span className="quiet">–</span>
        ) : (
          <a href={hrefWith({ tenant, key })} title={`Only ${key} of ${tenant}`} tabIndex={-1}>
            {tenant}/{key}
          </a>
        )}
      </td>
      <td className="col-took">{took}</td>
      <td className="col-why">{why !== null && <InlineCode text={why} />}</td>
    </>
  );
}
