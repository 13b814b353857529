import { useQuery } from '@tanstack/react-query';
import { control } from '../../control/control.ts';
import { ControlFailure } from '../../control/control-failure.ts';
import type { Exchange } from '../../control/control-types.ts';
import { href, hrefWith } from '../../navigation/route.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem } from '../../parts/problem.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { describeDuration } from '../../words/describe-duration.ts';
import { asCurl } from './as-curl.ts';
import { MessagePart } from './message-part.tsx';
import { Refusal } from './refusal.tsx';
import { SendAgain } from './send-again.tsx';

interface ExchangeDetailProps {
  readonly id: number;
  /** Undefined if the page does not have the exchange. The mock may still have it. */
  readonly known: Exchange | undefined;
  readonly newer: number | undefined;
  readonly older: number | undefined;
  readonly onClose: () => void;
}

/** One exchange: request and reply side by side, and the reason of a refusal. */
export function ExchangeDetail({ id, known, newer, older, onClose }: ExchangeDetailProps) {
  const asked = useQuery({
    queryKey: ['exchange', id],
    queryFn: () => control.exchange(id),
    enabled: known === undefined,
  });
  const exchange = known ?? asked.data;
  const isGone = asked.error instanceof ControlFailure && asked.error.status === 404;
  return (
    <section className="detail" aria-label={`Details of request ${id}`}>
      <div className="toolbar">
        <Step label="Newer" to={newer} />
        <Step label="Older" to={older} />
        {exchange !== undefined && <SendAgain key={id} exchange={exchange} />}
        {exchange !== undefined && (
          <CopyButton className="small" text={asCurl(exchange, location.origin)} label="Copy as curl" />
        )}
        <CopyButton
          className="small"
          text={location.origin + location.pathname + href('requests', { id: String(id) })}
          label="Copy link"
        />
        <span className="grow" />
        <button type="button" className="small" onClick={onClose}>
          Close
        </button>
      </div>
      {isGone && (
        <Problem
          text={`The mock has no request ${id} any more. It was dropped to make room for newer ones, or cleared.`}
        />
      )}
      {!isGone && exchange === undefined && <Loaded query={asked}>{() => null}</Loaded>}
      {exchange !== undefined && <Exchanged exchange={exchange} />}
    </section>
  );
}

function Step({ label, to }: { readonly label: string; readonly to: number | undefined }) {
  if (to === undefined) return <span className="button small off">{label}</span>;
  return (
    <a className="button small" href={hrefWith({ id: String(to) })}>
      {label}
    </a>
  );
}

function Exchanged({ exchange }: { readonly exchange: Exchange }) {
  const { request, reply, milliseconds, at, operationId, tenant, key } = exchange;
  const isRedacted = request.url.includes('…');
  return (
    <>
      <h2>
        <span className="method">{request.method}</span> {request.url}
      </h2>
      <dl className="facts">
        <Fact name="Status" only={{ status: String(reply.status) }}>
          <StatusBadge status={reply.status} broken={reply.broken} />
        </Fact>
        <Fact name="Operation" only={operationId === null ? null : { operation: operationId }}>
          {operationId ?? 'no operation of the API'}
        </Fact>
        <Fact name="Key" only={key === null ? null : { tenant, key }}>
          {key === null ? 'no known key' : `${tenant}/${key}`}
        </Fact>
        <Fact name="Time">
          <Instant at={at} precise />
        </Fact>
        <Fact name="Duration">{describeDuration(milliseconds)}</Fact>
        {reply.delay > 0 && <Fact name="Delayed by">{describeDuration(reply.delay)}</Fact>}
      </dl>
      <Refusal exchange={exchange} />
      <div className="sides">
        <MessagePart title="Request" headers={request.headers} body={request.body} />
        <MessagePart title="Reply" headers={reply.headers} body={reply.body} />
      </div>
      <div className="curl">
        <h3>As curl</h3>
        <pre>{asCurl(exchange, location.origin)}</pre>
        {request.body?.shortened && <p className="quiet">The mock kept only the beginning of the body.</p>}
        {isRedacted && (
          <p className="quiet">The signature was removed from the URL. Request a new upload URL to send this again.</p>
        )}
      </div>
    </>
  );
}
