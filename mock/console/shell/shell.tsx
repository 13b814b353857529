import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { control } from '../control/control.ts';
import { ControlFailure } from '../control/control-failure.ts';
import { DeveloperView } from '../keys/developer-view.tsx';
import { href, useRoute, type View, views } from '../navigation/route.ts';
import { notices } from '../parts/notices.ts';
import { RequestsView } from '../requests/requests-view.tsx';
import { TokenGate } from './token-gate.tsx';
import { WorldState } from './world-state.tsx';

// Read by few, and as large as all the rest.
const TimeView = lazy(() => import('../time/time-view.tsx'));
const RecordsView = lazy(() => import('../data/records-view.tsx'));
const LimitsView = lazy(() => import('../limits/limits-view.tsx'));
const ReferenceView = lazy(() => import('../reference/reference-view.tsx'));

const names: Readonly<Record<View, string>> = {
  keys: 'Developer',
  requests: 'Requests',
  limits: 'Limits',
  data: 'Data',
  time: 'Time and faults',
  reference: 'API reference',
};
const pages: Readonly<Record<View, ReactNode>> = {
  keys: <DeveloperView />,
  requests: <RequestsView />,
  limits: <LimitsView />,
  data: <RecordsView />,
  time: <TimeView />,
  reference: <ReferenceView />,
};

/** The frame of the page: where one can go, what is out of the ordinary, and the view. */
export function Shell() {
  const { view } = useRoute();
  useEffect(() => {
    // On a narrow screen the views are a strip that scrolls.
    const link = document.querySelector<HTMLElement>(`header nav a[href="${href(view)}"]`);
    link?.closest('nav')?.scrollTo({ left: link.offsetLeft - 120 });
  }, [view]);
  const said = useSyncExternalStore(notices.subscribe, notices.current);
  const health = useQuery({ queryKey: ['health'], queryFn: control.health, refetchInterval: 5_000 });
  if (health.error instanceof ControlFailure && health.error.status === 401) {
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
        <WorldState reachable={health.error === null} />
      </header>
      <main id="view" tabIndex={-1}>
        <Suspense fallback={<p className="quiet">Loading…</p>}>{pages[view]}</Suspense>
      </main>
      <div role="status" className="notice" data-empty={said === ''}>
        {said}
      </div>
    </div>
  );
}
