import { useEffect } from 'react';

/** Listens to events of the window, or that reach it, for as long as the component is shown. @param types with spaces between them */
export function useListener<T extends Event>(types: string, act: (event: T) => void, to: EventTarget = window): void {
  useEffect(() => {
    const ended = new AbortController();
    for (const type of types.split(' '))
      to.addEventListener(type, (event) => act(event as T), { signal: ended.signal });
    return () => ended.abort();
  });
}
