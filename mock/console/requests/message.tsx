import { operationList } from '../../../spec/operations.ts';
import { rules } from '../../../spec/rules.ts';
import type { Exchange } from '../control/control.ts';
import { useKeys } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { Facts, Folded, InlineCode, ProvenanceBadge } from '../parts/text.tsx';

interface MessageProps extends Pick<Exchange['request'], 'headers'>, Pick<Partial<Exchange['reply']>, 'broken'> {
  readonly title: string;
  readonly body: { readonly text: string; readonly bytes?: number; readonly shortened?: boolean } | null;
}

/** A request or a reply: its body and its headers. */
export function Message({ title, headers, body, broken }: MessageProps) {
  const sent = Number(headers['content-length'] ?? 0);
  return (
    <section aria-label={title}>
      {body === null ? (
        <h3>
          {title}{' '}
          <span className="quiet">{sent > 0 ? `whose body was not kept (${sent} bytes)` : 'without a body'}</span>
        </h3>
      ) : (
        <Code
          text={body.text}
          subject={`the ${title.toLowerCase()} body`}
          head={<h3>{title}</h3>}
          isHalf={broken === 'truncated' && !body.shortened}
        />
      )}
      {body?.shortened && (
        <p className="quiet">
          The first {body.text.length.toLocaleString()} characters of {body.bytes?.toLocaleString()} bytes.
        </p>
      )}
      <Folded title="Headers" count={Object.keys(headers).length}>
        <Facts className="schema" of={headers} />
      </Folded>
    </section>
  );
}

/** Why a request was refused or its reply changed, the rule of the contract behind it, and where to go on. */
export function Refusal({ exchange }: { readonly exchange: Exchange }) {
  const { why, breaks, refused, fault, reply } = exchange;
  const rule = breaks ?? exchange.rule;
  if (why === null && refused === null && fault === null) return null;
  const isDropped = reply.broken === 'dropped';
  const known = rules.find(({ id }) => id === rule && !isDropped);
  const status = isDropped ? 'No reply arrived' : `${reply.status}${reply.broken ? ', cut off half-way' : ''}`;
  const wait = isDropped ? undefined : reply.headers['retry-after'];
  return (
    <div className={`alert ${reply.status >= 500 || isDropped || breaks ? '' : 'warn'}`}>
      <p>
        <strong>{status}:</strong> <InlineCode text={why ?? refused ?? 'A fault has delayed this reply.'} />
      </p>
      {known !== undefined && (
        <p>
          <InlineCode text={known.rule} /> <ProvenanceBadge provenance={known.provenance} />
        </p>
      )}
      <p className="row">
        {wait && <span>{`Retry-After: ${wait} s`}</span>}
        <Remedy exchange={exchange} />
        {known !== undefined && <code className="quiet">{rule}</code>}
      </p>
    </div>
  );
}

/** Links to what has to be changed for the request to be served, and to the keys that may send it. */
function Remedy({ exchange: { refused, fault, tenant, key, operationId } }: { readonly exchange: Exchange }) {
  const { data: keys = [] } = useKeys(refused === 'missing-scope' ? tenant : null);
  // A way of being wrong is named in the place of a fault.
  if (fault !== null)
    return <a href={fault.startsWith('fault-') ? href('time', { fault }) : href('wrong')}>Go to {fault}</a>;
  if (refused === 'storage')
    return <a href={href('reference', { operation: 'startSiteFileUpload', tenant })}>Request another upload URL</a>;
  if (refused === 'throttled') return <a href={href('limits', { tenant, key })}>Its limit</a>;
  if (key === null || !/^(missing-scope|revoked-key)$/.test(refused ?? '')) return null;
  const needed = operationList.find(({ id }) => id === operationId)?.scopes ?? [];
  const able = keys.filter(({ state, scopes }) => state === 'ACTIVE' && needed.every((each) => scopes.includes(each)));
  return (
    <>
      <a href={href('keys', { tenant, key })}>The key’s page</a>
      {able.length > 0 && <span>or a key that may:</span>}
      {able.map(({ id, name }) => (
        <a key={id} href={href('keys', { tenant, id })}>
          {name}
        </a>
      ))}
    </>
  );
}
