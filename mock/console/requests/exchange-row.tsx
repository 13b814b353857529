import type { KeyboardEvent } from 'react';
import type { Exchange } from '../control/control-types.ts';
import { hrefWith } from '../navigation/route.ts';
import { InlineCode } from '../parts/inline-code.tsx';
import { Instant } from '../parts/instant.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';

interface ExchangeRowProps {
  readonly exchange: Exchange;
  /** Counts from 1 and leaves out the head. */
  readonly position: number;
  readonly open: boolean;
  /** Only one row is in the tab order; arrow keys reach the others. */
  readonly reachable: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** One exchange in the list: what was asked, what came back, and why it was refused. */
export function ExchangeRow({ exchange, position, open, reachable, onKeyDown }: ExchangeRowProps) {
  const { id, at, request, reply, tenant, key, why } = exchange;
  return (
    <tr aria-rowindex={position + 1} data-open={open} data-exchange={id}>
      <td className="col-time">
        <Instant at={at} precise />
      </td>
      <td className="col-status">
        <StatusBadge status={reply.status} broken={reply.broken} />
      </td>
      <td className="col-request">
        <a
          href={hrefWith({ id: String(id) })}
          aria-current={open ? 'true' : undefined}
          tabIndex={reachable ? 0 : -1}
          onKeyDown={onKeyDown}
        >
          <span className="method">{request.method}</span> {request.url}
        </a>
      </td>
      <td className="col-key">{key === null ? <span className="quiet">–</span> : `${tenant}/${key}`}</td>
      <td className="col-why">{why !== null && <InlineCode text={why} />}</td>
    </tr>
  );
}
