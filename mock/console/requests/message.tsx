import type { Exchange } from '../control/control-types.ts';
import { Code } from '../parts/code.tsx';

interface MessageProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Exchange['reply']['body'];
}

/** A request or a reply: its body and its headers. */
export function Message({ title, headers, body }: MessageProps) {
  const names = Object.keys(headers);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {body === null ? (
        <p className="quiet">No body.</p>
      ) : (
        <Code text={body.text} subject={`the ${title.toLowerCase()} body`} />
      )}
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
