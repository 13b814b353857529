let text = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

/** What was just done, said once: shown for some seconds, and read out by screen readers. */
export const notices = {
  say(what: string): void {
    clearTimeout(timer);
    show(what);
    timer = setTimeout(() => show(''), 6_000);
  },
  current: () => text,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
