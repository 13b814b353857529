import { useEffect } from 'react';

/** The browser drops the focus when the focused link disappears with its view. The focus then moves to the new view. */
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
