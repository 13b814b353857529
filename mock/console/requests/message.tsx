import { rules } from '../../../spec/rules.ts';
import type { Exchange } from '../control/control.ts';
import { Code } from '../parts/code.tsx';
import { Facts, InlineCode, ProvenanceBadge } from '../parts/text.tsx';

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
        <Facts className="schema" of={headers} />
      </details>
    </section>
  );
}

/** Why a request was refused, with the rule of the contract behind it. */
export function Refusal({ exchange: { why, rule, refused, fault, reply } }: { readonly exchange: Exchange }) {
  if (why === null && refused === null && fault === null) return null;
  const known = rules.find(({ id }) => id === rule);
  return (
    <div className="alert">
      <p>
        <strong>{reply.status}:</strong> <InlineCode text={why ?? refused ?? ''} />
      </p>
      {known !== undefined && (
        <p>
          <code>{rule}</code> <InlineCode text={known.rule} /> <ProvenanceBadge provenance={known.provenance} />
        </p>
      )}
      {fault !== null && !why?.includes(fault) && (
        <p>
          Caused by the fault <code>{fault}</code>.
        </p>
      )}
    </div>
  );
}
