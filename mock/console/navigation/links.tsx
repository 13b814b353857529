import { type ComponentProps, useEffect, useRef } from 'react';

/**
 * Links that lead to parts of the page. Where they have too little room and scroll, the one that is marked as current is kept in sight.
 * @param current names it
 */
export function Links({ current, ...nav }: ComponentProps<'nav'> & { readonly current: string }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current) place.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return <nav ref={place} {...nav} />;
}
