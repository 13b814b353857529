import type { Provenance } from '../../../spec/operations.ts';

const meanings: Readonly<Record<Provenance, string>> = {
  documented: 'The specification says it',
  reference: 'Seen in the public reference pages only',
  assumed: 'This project’s judgement, where the specification is silent',
};

/** How sure a statement of the contract is. */
export function ProvenanceBadge({ provenance }: { readonly provenance: Provenance }) {
  return (
    <span className={`badge provenance ${provenance}`} title={meanings[provenance]}>
      {provenance}
    </span>
  );
}
