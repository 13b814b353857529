import { useEffect } from 'react';

/** A browser takes the focus from a link to another fragment: the keyboard goes on in the page that it led to. */
export function useKeptFocus(): void {
  useEffect(() => {
    const keep = () =>
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.getElementById('view')?.focus({ preventScroll: true });
      });
    addEventListener('hashchange', keep);
    return () => removeEventListener('hashchange', keep);
  }, []);
}
