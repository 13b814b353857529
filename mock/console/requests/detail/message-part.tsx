import { prettyJson } from '../../../../spec/text/json-or-undefined.ts';
import type { Exchange } from '../../control/control-types.ts';

interface MessagePartProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Exchange['reply']['body'];
}

/** The request or the reply of an exchange, as plain text. */
export function MessagePart({ title, headers, body }: MessagePartProps) {
  const names = Object.keys(headers);
  return (
    <section className="message" aria-label={title}>
      <h3>{title}</h3>
      {body === null ? <p className="quiet">No body.</p> : <pre className="body">{prettyJson(body.text)}</pre>}
      {body?.shortened && (
        <p className="quiet">
          The first {body.text.length.toLocaleString()} characters of {body.bytes.toLocaleString()} bytes.
        </p>
      )}
      <details>
        <summary>{names.length === 1 ? '1 header' : `${names.length} headers`}</summary>
        <dl className="headers">
          {names.map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{headers[name]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
