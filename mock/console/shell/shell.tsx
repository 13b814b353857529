import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { control } from '../control/control.ts';
import { ControlFailure } from '../control/control-failure.ts';
import { DeveloperView } from '../keys/developer-view.tsx';
import { href, useRoute, type View, views } from '../navigation/route.ts';
import { notices } from '../parts/notices.ts';
import { RequestsView } from '../requests/requests-view.tsx';
import { MockGone } from './mock-gone.tsx';
import { MockWarnings } from './mock-warnings.tsx';
import { TokenGate } from './token-gate.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { ViewBoundary } from './view-boundary.tsx';

const wantsToken = (error: unknown) => error instanceof ControlFailure && error.status === 401;

/** Views that are loaded after the first one is shown, so that the page appears sooner. All load at once, before the mock may stop. */
const later = {
  limits: () => import('../limits/limits-view.tsx'),
  data: () => import('../data/records-view.tsx'),
  time: () => import('../time/time-view.tsx'),
  client: () => import('../client/client-view.tsx'),
  reference: () => import('../reference/reference-view.tsx'),
};
const LimitsView = lazy(later.limits);
const RecordsView = lazy(later.data);
const TimeView = lazy(later.time);
const ClientView = lazy(later.client);
const ReferenceView = lazy(later.reference);

const names: Readonly<Record<View, string>> = {
  keys: 'Developer',
  requests: 'Requests',
  limits: 'Limits',
  data: 'Data',
  time: 'Time and faults',
  client: 'Client',
  reference: 'API reference',
};
const pages: Readonly<Record<View, ReactNode>> = {
  keys: <DeveloperView />,
  requests: <RequestsView />,
  limits: <LimitsView />,
  data: <RecordsView />,
  time: <TimeView />,
  client: <ClientView />,
  reference: <ReferenceView />,
};

/** The frame of the page: navigation, warnings about the mock, and the current view. */
export function Shell() {
  const { view } = useRoute();
  useKeptFocus();
  useEffect(() => {
    // On a narrow screen the navigation scrolls sideways. The link of the current view is kept in sight.
    const link = document.querySelector<HTMLElement>(`header nav a[href="${href(view)}"]`);
    link?.closest('nav')?.scrollTo({ left: link.offsetLeft - 120 });
  }, [view]);
  useEffect(() => {
    // A view that fails to load is loaded again when it is opened.
    const load = () => Object.values(later).forEach((view) => void view().catch(() => {}));
    if (document.readyState === 'complete') load();
    else addEventListener('load', load, { once: true });
  }, []);
  const said = useSyncExternalStore(notices.subscribe, notices.current);
  const health = useQuery({
    queryKey: ['health'],
    queryFn: control.health,
    retry: false,
    // Not while a token is asked for: each try would show the view for a moment, and what is typed would be lost.
    refetchInterval: ({ state }) => (wantsToken(state.error) ? false : state.status === 'error' ? 1_000 : 3_000),
  });
  if (wantsToken(health.error)) {
    return <TokenGate onToken={() => void health.refetch()} />;
  }
  return (
    <div className="shell">
      <title>{`${names[view]} · partnerkit console`}</title>
      <header>
        <a className="skip" href={location.hash} onClick={() => document.getElementById('view')?.focus()}>
          Skip to content
        </a>
        <p className="brand">
          <strong>partnerkit</strong> console
        </p>
        <nav aria-label="Views">
          <ul>
            {views.map((name) => (
              <li key={name}>
                <a href={href(name)} aria-current={name === view ? 'page' : undefined}>
                  {names[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <MockWarnings />
      </header>
      <main id="view" tabIndex={-1}>
        <MockGone gone={health.error !== null && !(health.error instanceof ControlFailure)} />
        <ViewBoundary key={view}>
          <Suspense fallback={<p className="quiet">Loading…</p>}>{pages[view]}</Suspense>
        </ViewBoundary>
      </main>
      <div role="status" className="notice" data-empty={said === ''}>
        {said}
      </div>
    </div>
  );
}
