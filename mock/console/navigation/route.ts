import { useSyncExternalStore } from 'react';

/** The views, each at `#/<name>`. */
export const views = ['keys', 'requests', 'limits', 'data', 'time', 'client', 'reference'] as const;
export type View = (typeof views)[number];

/** The view and its parameters. They are in the URL's fragment, so that every view and filter can be linked to. */
interface Route {
  readonly view: View;
  readonly params: URLSearchParams;
}

type Change = Readonly<Record<string, string | null | undefined>>;

function read(hash: string): Route {
  const [, name = '', query = ''] = /^#\/([^?]*)\??(.*)$/.exec(hash) ?? [];
  return { view: views.find((view) => view === name) ?? 'keys', params: new URLSearchParams(query) };
}

let hash = location.hash;
let current = read(hash);
const listeners = new Set<() => void>();

function update(): void {
  hash = location.hash;
  current = read(hash);
  for (const listener of listeners) listener();
}
addEventListener('hashchange', update);

/** The link to a view. Empty parameters are left out. */
export function href(view: View, params: Change = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]);
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** The link to the current view with some parameters changed. A parameter of null is removed. */
export const hrefWith = (change: Change): string =>
  href(current.view, { ...Object.fromEntries(current.params), ...change });

/** Changes parameters without a new entry in the browser history, for example while someone types into a filter. */
export function replaceParams(change: Change): void {
  // A link was followed just now, of which the browser tells later: its parameters count.
  if (location.hash !== hash) {
    update();
    return;
  }
  history.replaceState(null, '', hrefWith(change));
  update();
}

export function useRoute(): Route {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
