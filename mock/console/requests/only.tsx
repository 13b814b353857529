import type { ComponentProps } from 'react';
import { hrefWith } from '../navigation/route.ts';

interface OnlyProps extends ComponentProps<'a'> {
  /** The filter. */
  readonly values: Readonly<Record<string, string | null>>;
}

/** A value that filters the list of requests by itself. */
export function Only({ values, ...link }: OnlyProps) {
  const text = Object.values(values).join('/');
  return (
    <a href={hrefWith(values)} title={`Only ${text}`} {...link}>
      {link.children ?? text}
    </a>
  );
}
