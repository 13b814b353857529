import { durationInWords } from '../../../spec/text/time-in-words.ts';
import { storagePath } from '../../paths.ts';
import { control, type Exchange } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { type RecordNames, useKnownKeys, useRead } from '../control/reads.ts';
import { useListener } from '../control/use-listener.ts';
import { href, replaceParams } from '../navigation/route.ts';
import { Button, CopyButton } from '../parts/buttons.tsx';
import { breakable } from '../parts/code.tsx';
import { Facts, Instant, Loaded, Method, StatusBadge } from '../parts/text.tsx';
import { withShortIds } from '../parts/words.ts';
import { requestOf, usesKey } from '../samples/code-samples.ts';
import { CodeTabs } from '../samples/code-tabs.tsx';
import { Only } from './filter-bar.tsx';
import { Message, Refusal } from './message.tsx';
import { subjectsOf } from './subjects-of.ts';

interface ExchangeDetailProps {
  readonly id: number;
  /** Undefined if the page does not have the exchange. The mock may still have it. */
  readonly known: Exchange | undefined;
  readonly names: RecordNames;
}

const close = () => replaceParams({ id: null });

/** One exchange: request and reply side by side, and the reason of a refusal. Escape closes it. */
export function ExchangeDetail({ id, known, names }: ExchangeDetailProps) {
  const asked = useRead(['exchange', id], () => control.exchange(id), { when: known === undefined });
  const exchange = known ?? asked.data;
  useListener<KeyboardEvent>('keydown', ({ key }) => key === 'Escape' && close());
  return (
    <section className="card stack detail" aria-label={`Details of request ${id}`}>
      <div className="row tools">
        {exchange !== undefined && <Uses exchange={exchange} />}
        <Button label="✕" className="small last" aria-label="Close" onClick={close} />
      </div>
      {exchange ? <Exchanged exchange={exchange} names={names} /> : <Loaded query={asked}>{() => null}</Loaded>}
    </section>
  );
}

/** The request of an exchange, with its key if that is a documented fake. */
function useSample(exchange: Exchange) {
  const known = useKnownKeys(exchange.tenant ?? '').find(({ name }) => name === exchange.key);
  return requestOf(exchange, location.origin, known?.secret);
}

/** What can be made of an exchange: another request, a fault. */
function Uses({ exchange }: { readonly exchange: Exchange }) {
  const { request, tenant, key, operationId } = exchange;
  const { url, headers, method, body } = useSample(exchange);
  // Without a known key, the whole body or the signature, another request would be sent.
  const isWhole = !usesKey(headers) && !request.body?.shortened && !url.includes('REDACTED');
  const send = async () => {
    const after = journalFeed.last();
    // The new exchange shows the reply, or that there was none.
    fetch(url, { method, headers: Object.fromEntries(headers), body }).catch(() => {});
    const repeated = await journalFeed.next(after, method, new URL(url).pathname);
    if (repeated !== undefined) replaceParams({ id: String(repeated.id) });
  };
  const target = operationId === null ? { path: request.url.split('?', 1)[0] } : { operation: operationId };
  return (
    <>
      {isWhole && <Button label="Send again" className="small" act={send} />}
      <a className="button small" href={href('time', { add: 'fault', ...target, tenant, key })}>
        Make a fault…
      </a>
    </>
  );
}

function Exchanged({ exchange, names }: { readonly exchange: Exchange; readonly names: RecordNames }) {
  const { request, reply, milliseconds, at, operationId, tenant, key, passedTo } = exchange;
  const isUpload = request.url.startsWith(storagePath);
  const [path = ''] = request.url.split('?', 1);
  const subjects = subjectsOf(exchange, names);
  const sample = useSample(exchange);
  return (
    <>
      <h2>
        {operationId === null ? withShortIds(path) : <Only values={{ operation: operationId }} />}
        {subjects.map(({ id, name }) => name !== undefined && <span key={id}> · {name}</span>)}
      </h2>
      <p>
        <Method method={request.method} /> <code>{breakable(request.url)}</code>{' '}
        <CopyButton text={request.url} subject="the URL" className="plain" />
      </p>
      <Facts
        className="facts"
        of={{
          Status: (
            <Only values={{ status: String(reply.status) }}>
              <StatusBadge {...reply} wrong={exchange.breaks !== null} />
            </Only>
          ),
          'Answered by': passedTo ?? undefined,
          Key: key === null ? isUpload ? 'signed URL' : 'no known key' : <Only values={{ tenant, key }} />,
          'Time, UTC': <Instant at={at} clock />,
          Took: durationInWords(milliseconds + reply.delay),
          'Delayed by': reply.delay > 0 ? durationInWords(reply.delay) : undefined,
        }}
      />
      <Refusal exchange={exchange} />
      <div className={request.body === null ? 'stack' : 'sides'}>
        <Message title="Request" {...request} />
        {/* A connection that was closed before the operation had none. */}
        {Object.keys(reply.headers).length > 0 && (
          <Message title={reply.broken === 'dropped' ? 'Undelivered reply' : 'Reply'} {...reply} />
        )}
      </div>
      <section aria-label="As code">
        <h3>As a command or a test</h3>
        <CodeTabs request={sample} />
        {request.url.includes('REDACTED') && (
          <p className="quiet">The signature was removed from the URL. Request a new upload URL to send this again.</p>
        )}
      </section>
    </>
  );
}
