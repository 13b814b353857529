import type { Provenance } from '../../../spec/operations.ts';

const meanings: Readonly<Record<Provenance, string>> = {
  documented: 'The specification says so',
  reference: 'Seen in the public reference pages only',
  assumed: 'This project’s judgement, where the specification is silent',
};

/** Shows where a statement of the contract comes from. */
export function ProvenanceBadge({ provenance }: { readonly provenance: Provenance }) {
  return (
    <span className={`badge provenance ${provenance}`} title={meanings[provenance]}>
      {provenance}
    </span>
  );
}
