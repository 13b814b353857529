import { useQuery } from '@tanstack/react-query';
import type { Exchange } from '../../control/control-types.ts';
import { InlineCode } from '../../parts/inline-code.tsx';
import { ProvenanceBadge } from '../../parts/provenance-badge.tsx';

/** Why a request was refused, with the rule of the contract behind it. */
export function Refusal({ exchange }: { readonly exchange: Exchange }) {
  const { why, rule, refused, fault, reply } = exchange;
  // The rules are about 40 KB of text, so they are loaded only when a refusal is opened.
  const { data: rules } = useQuery({
    queryKey: ['rules'],
    queryFn: async () => (await import('../../../../spec/rules.ts')).rules,
    enabled: rule !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (why === null && refused === null && fault === null) return null;
  const known = rules?.find(({ id }) => id === rule);
  return (
    <div className="refusal">
      <p>
        <strong>{reply.status}:</strong> <InlineCode text={why ?? refused ?? ''} />
      </p>
      {rule !== null && (
        <p className="quiet">
          <code>{rule}</code> <InlineCode text={known?.rule ?? ''} />{' '}
          {known && <ProvenanceBadge provenance={known.provenance} />}
        </p>
      )}
      {fault !== null && (
        <p className="quiet">
          Caused by the fault <code>{fault}</code>.
        </p>
      )}
    </div>
  );
}
