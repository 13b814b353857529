let text = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

/** Short messages about what was just done. Each is shown for six seconds and read by screen readers. */
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
