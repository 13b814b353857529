import { rules } from '../../../spec/rules.ts';
import type { Exchange } from '../control/control-types.ts';
import { InlineCode, ProvenanceBadge } from '../parts/text.tsx';

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
