import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { instantInWords } from '../../../spec/text/time-in-words.ts';
import ClientView from '../client/client-view.tsx';
import { ControlFailure, control, controlToken } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useClock, useFaults, useRead, useWrong } from '../control/reads.ts';
import { useListener } from '../control/use-listener.ts';
import RecordsView from '../data/records-view.tsx';
import DeveloperView from '../keys/developer-view.tsx';
import { RevealDialog } from '../keys/reveal-dialog.tsx';
import LimitsView from '../limits/limits-view.tsx';
import { href, useRoute, type View, views } from '../navigation/route.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { Form, Input } from '../parts/form.tsx';
import { notices } from '../parts/notices.ts';
import { Problem } from '../parts/text.tsx';
import { counted, describeOffset } from '../parts/words.ts';
import ReferenceView from '../reference/reference-view.tsx';
import RequestsView from '../requests/requests-view.tsx';
import TimeView from '../time/time-view.tsx';
import WrongView from '../wrong/wrong-view.tsx';

const pages = {
  keys: ['Developer', DeveloperView],
  requests: ['Requests', RequestsView],
  limits: ['Limits', LimitsView],
  data: ['Data', RecordsView],
  time: ['Time and faults', TimeView],
  wrong: ['Wrong on purpose', WrongView],
  client: ['Client', ClientView],
  reference: ['API reference', ReferenceView],
} as const satisfies Record<View, unknown>;

/** The page, or the question for the control token if the mock requires one. */
export function Shell() {
  const [tries, setTries] = useState(0);
  const [token, setToken] = useState('');
  const health = useRead(['health', tries], control.health);
  const isRefused = health.error instanceof ControlFailure && health.error.status === 401;
  if (!isRefused && !(health.isPending && tries > 0)) return health.isPending ? null : <Frame />;
  const save = () => {
    controlToken.set(token.trim());
    setTries(tries + 1);
  };
  const isWrong = isRefused && tries > 0 && token.trim() === controlToken.get();
  return (
    <main className="lead">
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
          problem={isWrong ? 'This is not the control token of this mock.' : null}
        />
      </Form>
    </main>
  );
}

/** The frame of the page: navigation, warnings about the mock, and the current view. */
function Frame() {
  const { view, params } = useRoute();
  const [name, Page] = pages[view];
  const title = (view === 'reference' && params.get('operation')) || name;
  const shown = `${view} ${params.get('id') ?? params.get('record') ?? params.get('operation')}`;
  const last = useRef(shown);
  useEffect(() => void journalFeed.open(), []);
  // A hidden tab leaves its connection to others: browsers allow six to a host, and each stream takes one.
  useListener('visibilitychange', () => void (document.hidden ? journalFeed.close() : journalFeed.open()));
  useEffect(() => {
    document.title = `${title} · partnerkit console`;
    // On a narrow screen the navigation is one row, which scrolls.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [title]);
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    // Another page begins at its top, or with the fault that a link names, and takes the focus of a link that is gone.
    scrollTo(0, 0);
    document.getElementById(params.get('fault') ?? '')?.scrollIntoView({ block: 'center' });
    if (document.activeElement === document.body) document.getElementById('view')?.focus({ preventScroll: true });
  }, [shown, params]);
  return (
    <div className="shell">
      <header>
        <a className="visually-hidden" href={location.hash} onClick={() => document.getElementById('view')?.focus()}>
          Skip to content
        </a>
        <p>
          <strong>partnerkit</strong> <span>console</span>
        </p>
        <nav aria-label="Views">
          <ul>
            {views.map((each) => (
              <li key={each}>
                <a href={href(each)} aria-current={each === view ? 'page' : undefined}>
                  {pages[each][0]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <MockWarnings />
      </header>
      <main id="view" tabIndex={-1}>
        <MockGone />
        <Page key={view} />
      </main>
      <RevealDialog />
      <div role="status" className="notice">
        {notices.use()}
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
  const warnings: readonly (readonly [View, string | false | undefined])[] = [
    ['time', clock?.frozen && 'clock frozen'],
    ['time', clock !== undefined && !clock.frozen && clock.offset !== 0 && `clock ${describeOffset(clock.offset)}`],
    ['time', active > 0 && counted(active, 'fault')],
    ['wrong', wrong !== null && (wrong.rule === null ? 'right in an unusual way' : 'wrong on purpose')],
  ];
  return (
    <div className="row" data-at={clock && instantInWords(clock.now)}>
      <code className="quiet">{location.origin}</code>
      <CopyButton text={location.origin} subject="the base URL" className="plain" />
      {warnings.map(
        ([view, warning]) =>
          warning && (
            <a key={warning} className="badge warn" href={href(view)}>
              {warning}
            </a>
          ),
      )}
    </div>
  );
}

/** Says above every view that the mock does not answer. When the mock is back, all queries are repeated. */
function MockGone() {
  const gone = journalFeed.useConnection() === 'lost';
  const client = useQueryClient();
  const wasGone = useRef(false);
  useEffect(() => {
    // Meanwhile only the journal is asked for again.
    onlineManager.setOnline(!gone);
    if (wasGone.current && !gone) {
      notices.say('The mock is back.');
      void client.invalidateQueries();
    }
    wasGone.current = gone;
  }, [gone, client]);
  const words = `The mock at \`${location.origin}\` does not answer: it was stopped, or cannot be reached. Start it again with \`npx partnerkit mock --port ${location.port}\`. This page shows the last known state and reconnects by itself.`;
  return <Problem text={gone ? words : null} />;
}
