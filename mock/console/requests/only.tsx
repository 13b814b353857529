import type { ComponentProps } from 'react';
import { hrefWith } from '../navigation/route.ts';

interface OnlyProps extends ComponentProps<'a'> {
  /** The filter. */
  readonly values: Readonly<Record<string, string | null>>;
}

/** A value that filters the list of requests by itself. */
export const Only = ({ values, ...link }: OnlyProps) => (
  <a href={hrefWith(values)} title={`Only ${Object.values(values).join('/')}`} {...link} />
);
