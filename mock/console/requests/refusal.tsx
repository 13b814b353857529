import type { Exchange } from '../control/control-types.ts';
import { useRead } from '../control/reads.ts';
import { InlineCode, ProvenanceBadge } from '../parts/text.tsx';

/** Why a request was refused, with the rule of the contract behind it. */
export function Refusal({ exchange }: { readonly exchange: Exchange }) {
  const { why, rule, refused, fault, reply } = exchange;
  // The rules are about 40 KB of text, so they are loaded only when a refusal is opened.
  const read = async () => (await import('../../../spec/rules.ts')).rules;
  const { data: rules } = useRead(['rules'], read, { when: rule !== null });
  if (why === null && refused === null && fault === null) return null;
  const known = rules?.find(({ id }) => id === rule);
  return (
    <div className="alert refusal">
      <p>
        <strong>{reply.status}:</strong> <InlineCode text={why ?? refused ?? ''} />
      </p>
      {rule !== null && (
        <p>
          <code>{rule}</code> <InlineCode text={known?.rule ?? ''} />{' '}
          {known && <ProvenanceBadge provenance={known.provenance} />}
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
