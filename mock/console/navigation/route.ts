import { useSyncExternalStore } from 'react';

/** The views, each at `#/<name>`. */
export const views = ['keys', 'requests', 'limits', 'data', 'time', 'client', 'reference'] as const;
export type View = (typeof views)[number];

/** Where the page is: the fragment, so that every view and filter has an address and no server is asked for it. */
interface Route {
  readonly view: View;
  readonly params: URLSearchParams;
}

type Change = Readonly<Record<string, string | null | undefined>>;

function read(hash: string): Route {
  const [, name = '', query = ''] = /^#\/([^?]*)\??(.*)$/.exec(hash) ?? [];
  return { view: views.find((view) => view === name) ?? 'keys', params: new URLSearchParams(query) };
}

let current = read(location.hash);
const listeners = new Set<() => void>();

function follow(): void {
  current = read(location.hash);
  for (const listener of listeners) listener();
}
addEventListener('hashchange', follow);

/** The address of a view. Empty parameters are left out. */
export function href(view: View, params: Change = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]);
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** The address of this view with some parameters changed; null takes one away. */
export const hrefWith = (change: Change): string =>
  href(current.view, { ...Object.fromEntries(current.params), ...change });

/** Changes parameters without a new entry in the history, as typing into a filter should. */
export function replaceParams(change: Change): void {
  history.replaceState(null, '', hrefWith(change));
  follow();
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
