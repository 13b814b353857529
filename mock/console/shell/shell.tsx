import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import ClientView from '../client/client-view.tsx';
import { ControlFailure, control, controlToken } from '../control/control.ts';
import { journalFeed, useConnection } from '../control/journal-feed.ts';
import { useClock, useFaults, useRead, useWrong } from '../control/reads.ts';
import RecordsView from '../data/records-view.tsx';
import DeveloperView from '../keys/developer-view.tsx';
import LimitsView from '../limits/limits-view.tsx';
import { href, useRoute, type View, views } from '../navigation/route.ts';
import { Form, Input } from '../parts/form.tsx';
import { notices } from '../parts/notices.ts';
import { describeOffset } from '../parts/words.ts';
import ReferenceView from '../reference/reference-view.tsx';
import RequestsView from '../requests/requests-view.tsx';
import TimeView from '../time/time-view.tsx';

const pages = {
  keys: { name: 'Developer', Page: DeveloperView },
  requests: { name: 'Requests', Page: RequestsView },
  limits: { name: 'Limits', Page: LimitsView },
  data: { name: 'Data', Page: RecordsView },
  time: { name: 'Time and faults', Page: TimeView },
  client: { name: 'Client', Page: ClientView },
  reference: { name: 'API reference', Page: ReferenceView },
} satisfies Record<View, object>;

/** The page, or the question for the control token if the mock requires one. */
export function Shell() {
  const [tries, setTries] = useState(0);
  const health = useRead(['health', tries], control.health);
  const isRefused = health.error instanceof ControlFailure && health.error.status === 401;
  if (isRefused || (health.isPending && tries > 0)) {
    return <TokenGate tried={isRefused && controlToken.get() !== null} onToken={() => setTries(tries + 1)} />;
  }
  return health.isPending ? null : <Frame />;
}

interface TokenGateProps {
  readonly tried: boolean;
  readonly onToken: () => void;
}

function TokenGate({ tried, onToken }: TokenGateProps) {
  const [token, setToken] = useState('');
  const save = () => {
    controlToken.set(token.trim());
    onToken();
  };
  return (
    <main className="gate">
      <h1>partnerkit console</h1>
      <p>
        Other machines can reach this mock, so it requires its control token. You gave it with{' '}
        <code>--control-token</code>, or the mock printed it when it started.
      </p>
      <Form verb="Open the console" act={save}>
        <Input
          label="Control token"
          type="password"
          autoComplete="off"
          required
          value={token}
          onText={setToken}
          problem={tried ? 'This is not the control token of this mock.' : null}
        />
      </Form>
    </main>
  );
}

/** The frame of the page: navigation, warnings about the mock, and the current view. */
function Frame() {
  const { view, params } = useRoute();
  const { name, Page } = pages[view];
  const record = params.get('id') ?? params.get('record') ?? params.get('operation');
  const said = useSyncExternalStore(notices.subscribe, notices.current);
  useEffect(() => {
    void journalFeed.open();
    // A hidden tab leaves its connection to others: browsers allow six to a host, and each stream takes one.
    const follow = () => void (document.hidden ? journalFeed.close() : journalFeed.open());
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, []);
  useEffect(() => {
    document.title = `${name} · partnerkit console`;
    // On a narrow screen the navigation scrolls sideways. The link of the current view is kept in sight.
    const link = document.querySelector<HTMLElement>(`header nav a[href="${href(view)}"]`);
    link?.closest('nav')?.scrollTo({ left: link.offsetLeft - 120 });
  }, [view, name]);
  const shown = `${view} ${record}`;
  const last = useRef(shown);
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    // Another page begins at its top, and takes the focus of a link that is gone.
    scrollTo(0, 0);
    if (document.activeElement === document.body) document.getElementById('view')?.focus({ preventScroll: true });
  }, [shown]);
  return (
    <div className="shell">
      <header>
        <a className="skip" href={location.hash} onClick={() => document.getElementById('view')?.focus()}>
          Skip to content
        </a>
        <p className="brand">
          <strong>partnerkit</strong> console
        </p>
        <nav aria-label="Views">
          <ul>
            {views.map((each) => (
              <li key={each}>
                <a href={href(each)} aria-current={each === view ? 'page' : undefined}>
                  {pages[each].name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <MockWarnings />
      </header>
      <main id="view" tabIndex={-1}>
        <MockGone />
        <ViewBoundary key={view}>
          <Page />
        </ViewBoundary>
      </main>
      <div role="status" className="notice">
        {said}
      </div>
    </div>
  );
}

/** Warns about settings that are easily forgotten: a changed clock, active faults, a broken rule. */
function MockWarnings() {
  const { data: clock } = useClock();
  const { data: faults = [] } = useFaults();
  const { data: wrong = null } = useWrong();
  const active = faults.filter(({ spec, remaining }) => remaining !== 0 && !spec.paused).length;
  const warnings = [
    clock?.frozen && 'clock frozen',
    clock !== undefined && !clock.frozen && clock.offset !== 0 && `clock ${describeOffset(clock.offset)}`,
    active > 0 && (active === 1 ? '1 fault' : `${active} faults`),
    wrong !== null && (wrong.rule === null ? 'right in an unusual way' : 'wrong on purpose'),
  ].filter((warning) => typeof warning === 'string');
  return (
    <div className="mock-warnings">
      <span className="address">{location.origin}</span>
      {warnings.map((warning) => (
        <a key={warning} className="badge warn" href={href('time')}>
          {warning}
        </a>
      ))}
    </div>
  );
}

/** Says above every view that the mock does not answer. When the mock is back, all queries are repeated. */
function MockGone() {
  const gone = useConnection() === 'lost';
  const client = useQueryClient();
  const wasGone = useRef(false);
  useEffect(() => {
    if (wasGone.current && !gone) {
      notices.say('The mock is back.');
      void client.invalidateQueries();
    }
    wasGone.current = gone;
  }, [gone, client]);
  return (
    <div role="alert" className="alert" hidden={!gone}>
      {gone && (
        <>
          The mock at <code>{location.origin}</code> does not answer: it was stopped, or cannot be reached. This page
          shows the last known state and reconnects by itself.
        </>
      )}
    </div>
  );
}

/** Catches errors of a view that cannot be rendered, so that the frame around it stays. */
class ViewBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="empty">
        <p>This view could not be shown. Reload the page to try again.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  }
}
