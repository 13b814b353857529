import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import type { Exchange } from '../control/control-types.ts';
import { hrefWith } from '../navigation/route.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Instant } from '../parts/instant.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { asCurl } from './as-curl.ts';
import { MessagePart } from './message-part.tsx';
import { Refusal } from './refusal.tsx';

interface ExchangeDetailProps {
  readonly id: number;
  /** Undefined where the page does not have it; the mock may. */
  readonly known: Exchange | undefined;
  readonly newer: number | undefined;
  readonly older: number | undefined;
  readonly onClose: () => void;
}

/** One exchange: request and reply side by side, and why it went as it did. */
export function ExchangeDetail({ id, known, newer, older, onClose }: ExchangeDetailProps) {
  const asked = useQuery({
    queryKey: ['exchange', id],
    queryFn: () => control.exchange(id),
    enabled: known === undefined,
  });
  return (
    <section className="detail" aria-label={`Exchange ${id}`}>
      <div className="toolbar">
        <Step label="Newer" to={newer} />
        <Step label="Older" to={older} />
        <span className="grow" />
        <button type="button" className="small" onClick={onClose}>
          Close
        </button>
      </div>
      {known === undefined ? (
        <Loaded query={asked}>{(exchange) => <Both exchange={exchange} />}</Loaded>
      ) : (
        <Both exchange={known} />
      )}
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

function Both({ exchange }: { readonly exchange: Exchange }) {
  const { request, reply, milliseconds, at, operationId, tenant, key } = exchange;
  const secretsOut = /…/.test(request.url);
  return (
    <>
      <h2>
        <span className="method">{request.method}</span> {request.url}
      </h2>
      <dl className="facts">
        <div>
          <dt>Status</dt>
          <dd>
            <StatusBadge status={reply.status} broken={reply.broken} />
          </dd>
        </div>
        <Fact name="Operation" value={operationId ?? 'none of the API'} />
        <Fact name="Key" value={key === null ? 'none recognised' : `${tenant}/${key}`} />
        <div>
          <dt>At</dt>
          <dd>
            <Instant at={at} precise />
          </dd>
        </div>
        <Fact name="Took" value={`${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`} />
        {reply.delay > 0 && <Fact name="Held back" value={`${Math.round(reply.delay)} ms`} />}
      </dl>
      <Refusal exchange={exchange} />
      <div className="sides">
        <MessagePart title="Request" headers={request.headers} body={request.body} />
        <MessagePart title="Reply" headers={reply.headers} body={reply.body} />
      </div>
      <div className="curl">
        <CopyButton text={asCurl(exchange, location.origin)} label="Copy as curl" />
        <pre>{asCurl(exchange, location.origin)}</pre>
        {request.body?.shortened && <p className="quiet">The journal kept only the beginning of the body.</p>}
        {secretsOut && (
          <p className="quiet">Signatures are taken out of the URL; ask for a new upload URL to send it.</p>
        )}
      </div>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
