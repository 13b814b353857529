import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { control } from '../control/control.ts';
import type { Exchange } from '../control/control-types.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useKnownKeys, useRead, useRecordNames } from '../control/reads.ts';
import { useAction } from '../control/use-action.ts';
import { hrefWith, useRoute } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { Problem } from '../parts/text.tsx';
import { codeSample } from '../samples/code-samples.ts';
import { firstRequest } from '../samples/request-of.ts';
import { ExchangeDetail } from './exchange-detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { emptyFilter, type JournalFilter, matches } from './journal-filter.ts';
import { JournalTable } from './journal-table.tsx';

/** The live list of requests, with replies and reasons of refusals. */
export default function RequestsView() {
  const { params } = useRoute();
  const exchanges = journalFeed.use();
  const connection = journalFeed.useConnection();
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const clear = useAction(async () => {
    await control.clearJournal();
    journalFeed.forget();
  });
  const filter = Object.fromEntries(
    Object.keys(emptyFilter).map((name) => [name, params.get(name) ?? '']),
  ) as unknown as JournalFilter;
  // The list may come a moment after the letter that was typed.
  const wanted = useDeferredValue(JSON.stringify(filter));
  const shown = useMemo(() => {
    const only: JournalFilter = JSON.parse(wanted);
    return exchanges
      .filter((exchange) => (pausedAt === null || exchange.id <= pausedAt) && matches(only, exchange))
      .reverse();
  }, [exchanges, pausedAt, wanted]);

  const names = useRecordNames(useTenantsOf(exchanges));
  const openId = params.has('id') ? Number(params.get('id')) : null;
  const at = openId === null ? -1 : shown.findIndex(({ id }) => id === openId);
  return (
    <div className="requests" data-detail={openId !== null}>
      <div className="heading">
        <div className="row">
          <h1>Requests</h1>
          <span className={`badge ${connection === 'live' ? 'good' : 'warn'}`} role="status">
            {pausedAt === null ? connectionNames[connection] : 'paused'}
          </span>
          <Counts exchanges={exchanges} shown={shown} pausedAt={pausedAt} status={filter.status} />
        </div>
        <button
          type="button"
          aria-pressed={pausedAt !== null}
          onClick={() => setPausedAt(pausedAt === null ? journalFeed.last() : null)}
        >
          {pausedAt === null ? 'Pause' : 'Resume'}
        </button>
        <button type="button" disabled={exchanges.length === 0} onClick={() => void clear.run()}>
          Clear
        </button>
      </div>
      <Problem text={clear.failure?.message ?? null} />
      <FilterBar filter={filter} exchanges={exchanges} />
      <div className="split">
        {shown.length > 0 && <JournalTable exchanges={shown} names={names} openId={openId} />}
        {shown.length === 0 &&
          (exchanges.length > 0 ? <p className="empty">No request matches the filter.</p> : <FirstRequest />)}
        {openId !== null && (
          <ExchangeDetail
            id={openId}
            known={exchanges.find(({ id }) => id === openId)}
            newer={at > 0 ? shown[at - 1]?.id : undefined}
            older={at < 0 ? undefined : shown[at + 1]?.id}
          />
        )}
      </div>
    </div>
  );
}

const connectionNames = { live: 'live', connecting: 'connecting', lost: 'disconnected' } as const;

interface CountsProps {
  readonly exchanges: readonly Exchange[];
  readonly shown: readonly Exchange[];
  readonly pausedAt: number | null;
  readonly status: string;
}

/** How many requests are shown, and how many are not. */
function Counts({ exchanges, shown, pausedAt, status }: CountsProps) {
  const refused = shown.filter((exchange) => exchange.refused !== null).length;
  const newer = pausedAt === null ? 0 : exchanges.filter(({ id }) => id > pausedAt).length;
  const gone = useGone(exchanges.length);
  return (
    <p className="quiet">
      {shown.length === exchanges.length ? `${exchanges.length}` : `${shown.length} of ${exchanges.length}`} shown
      {status === '' && refused > 0 && (
        <>
          , <a href={hrefWith({ status: 'refused' })}>{refused} refused</a>
        </>
      )}
      {newer > 0 && `, ${newer} new since the pause`}
      {gone > 0 && `; ${gone.toLocaleString()} older ones are gone, since the mock keeps the newest only`}
    </p>
  );
}

/** How many exchanges neither the mock nor the page has any more. It also notices when the journal was cleared elsewhere. */
function useGone(held: number): number {
  const read = async () => {
    const upTo = journalFeed.last();
    const { journal } = await control.health();
    return { ...journal, upTo };
  };
  const { data } = useRead(['journal size'], read, { every: 2_000 });
  useEffect(() => {
    if (data !== undefined && data.kept === 0 && data.dropped === 0) journalFeed.forget(data.upTo);
  }, [data]);
  if (data === undefined) return 0;
  return Math.max(0, Math.min(data.dropped, data.kept + data.dropped - held));
}

/** The tenants of these exchanges. The array stays the same object while the tenants stay the same. */
function useTenantsOf(exchanges: readonly Exchange[]): readonly string[] {
  const found = useMemo(
    () => [...new Set(exchanges.flatMap(({ tenant }) => tenant ?? []))].sort().join('\n'),
    [exchanges],
  );
  return useMemo(() => (found === '' ? [] : found.split('\n')), [found]);
}

/** Shown for an empty list: a command for a first request. */
function FirstRequest() {
  const key = useKnownKeys().at(0);
  return (
    <div className="empty">
      <p>No request yet. Every call to this mock appears here at once.</p>
      {key !== undefined && (
        <>
          <p>Paste this command into a terminal to send a first one:</p>
          <Code text={codeSample('curl', firstRequest(key.secret))} subject="the command" />
        </>
      )}
    </div>
  );
}
