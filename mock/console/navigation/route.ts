import { shared } from '../control/shared.ts';

/** The views, each at `#/<name>`. */
export const views = ['keys', 'requests', 'limits', 'data', 'time', 'wrong', 'client', 'reference'] as const;
export type View = (typeof views)[number];

type Change = Readonly<Record<string, string | null | undefined>>;

let hash = location.hash;

/** The view and its parameters. They are in the URL's fragment, so that every view and filter can be linked to. */
function read() {
  hash = location.hash;
  const [, name = '', query = ''] = /^#\/([^?]*)\??(.*)$/.exec(hash) ?? [];
  return { view: views.find((view) => view === name) ?? 'keys', params: new URLSearchParams(query) };
}

const route = shared(read());
addEventListener('hashchange', () => route.set(read()));

export const useRoute = route.use;

/** The link to a view. Empty parameters are left out. */
export function href(view: View, params: Change = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]);
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** The link to the current view with some parameters changed. A parameter of null is removed. */
export const hrefWith = (change: Change): string =>
  href(route.get().view, { ...Object.fromEntries(route.get().params), ...change });

/** Changes parameters without a new entry in the browser history, for example while someone types into a filter. */
export function replaceParams(change: Change): void {
  // If a link was followed just now, of which the browser tells later, the parameters of that link count.
  if (location.hash === hash) history.replaceState(null, '', hrefWith(change));
  route.set(read());
}
