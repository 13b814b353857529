import { shared } from '../control/shared.ts';

const text = shared('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Short messages about what was just done. Each is shown for six seconds and read by screen readers. */
export const notices = {
  say(what: string): void {
    clearTimeout(timer);
    text.set(what);
    timer = setTimeout(() => text.set(''), 6_000);
  },
  use: text.use,
};
