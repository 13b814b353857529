import type { ReactNode } from 'react';
import { hrefWith } from '../navigation/route.ts';

interface FactProps {
  readonly name: string;
  /** The filter that shows only requests with this value. */
  readonly only?: Readonly<Record<string, string | null>> | null | undefined;
  readonly children: ReactNode;
}

/** One line of a list of facts. */
export function Fact({ name, only, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {only ? (
          <a href={hrefWith(only)} title="Show only these">
            {children}
          </a>
        ) : (
          children
        )}
      </dd>
    </div>
  );
}
