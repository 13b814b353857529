import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { control } from '../control/control.ts';
import type { Exchange } from '../control/control-types.ts';
import { useRecordNames } from '../control/record-names.ts';
import { useAction } from '../control/use-action.ts';
import { hrefWith, replaceParams, useRoute } from '../navigation/route.ts';
import { Problem } from '../parts/problem.tsx';
import { ExchangeDetail } from './detail/exchange-detail.tsx';
import { journalFeed } from './exchange/journal-feed.ts';
import { FilterBar } from './list/filter-bar.tsx';
import { FirstRequest } from './list/first-request.tsx';
import { matches } from './list/journal-filter.ts';
import { JournalTable } from './list/journal-table.tsx';
import './requests.css';

/** The live list of requests, with replies and reasons of refusals. */
export function RequestsView() {
  const { params } = useRoute();
  const { exchanges, connection } = useSyncExternalStore(journalFeed.subscribe, journalFeed.state);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const dropped = useDropped();
  const clear = useAction(async () => {
    await control.clearJournal();
    journalFeed.forget();
  });

  const value = (name: string) => params.get(name) ?? '';
  const filter = {
    tenant: value('tenant'),
    key: value('key'),
    operation: value('operation'),
    status: value('status'),
    text: value('text'),
  };
  const { tenant, key, operation, status, text } = filter;
  const shown = useMemo(() => {
    const wanted = { tenant, key, operation, status, text };
    return exchanges
      .filter((exchange) => (pausedAt === null || exchange.id <= pausedAt) && matches(wanted, exchange))
      .reverse();
  }, [exchanges, pausedAt, tenant, key, operation, status, text]);
  const refused = shown.filter((exchange) => exchange.refused !== null).length;
  const newer = pausedAt === null ? 0 : exchanges.filter(({ id }) => id > pausedAt).length;

  const names = useRecordNames(useTenantsOf(exchanges));
  const openId = params.has('id') ? Number(params.get('id')) : null;
  const at = shown.findIndex(({ id }) => id === openId);
  const open = openId === null ? undefined : exchanges.find(({ id }) => id === openId);
  return (
    <div className="requests" data-detail={openId !== null}>
      <div className="heading">
        <h1>Requests</h1>
        <span className={`badge ${connection === 'live' ? 'good' : 'warn'}`} role="status">
          {pausedAt === null ? connectionNames[connection] : 'paused'}
        </span>
        <p className="quiet counts">
          {shown.length === exchanges.length ? `${exchanges.length}` : `${shown.length} of ${exchanges.length}`} shown
          {status === '' && refused > 0 && (
            <>
              , <a href={hrefWith({ status: 'refused' })}>{refused} refused</a>
            </>
          )}
          {newer > 0 && `, ${newer} new since the pause`}
          {dropped > 0 && `, ${dropped} dropped by the mock to make room`}
        </p>
        <button
          type="button"
          aria-pressed={pausedAt !== null}
          onClick={() => setPausedAt(pausedAt === null ? journalFeed.last : null)}
        >
          {pausedAt === null ? 'Pause' : 'Resume'}
        </button>
        <button type="button" disabled={exchanges.length === 0} onClick={() => void clear.run()}>
          Clear
        </button>
      </div>
      <Problem text={clear.problem} />
      <FilterBar filter={filter} exchanges={exchanges} />
      <div className="split">
        {shown.length === 0 ? (
          <EmptyList filtered={exchanges.length > 0} />
        ) : (
          <JournalTable exchanges={shown} names={names} openId={openId} />
        )}
        {openId !== null && (
          <ExchangeDetail
            id={openId}
            known={open}
            newer={at > 0 ? shown[at - 1]?.id : undefined}
            older={at < 0 ? undefined : shown[at + 1]?.id}
            onClose={() => replaceParams({ id: null })}
          />
        )}
      </div>
    </div>
  );
}

const EmptyList = ({ filtered }: { readonly filtered: boolean }) =>
  filtered ? <p className="empty">No request matches the filter.</p> : <FirstRequest />;

/** The tenants of these exchanges. The array stays the same object while the tenants stay the same. */
function useTenantsOf(exchanges: readonly Exchange[]): readonly string[] {
  const found = [...new Set(exchanges.flatMap(({ tenant }) => tenant ?? []))].sort().join('\n');
  return useMemo(() => (found === '' ? [] : found.split('\n')), [found]);
}

const connectionNames = { live: 'live', connecting: 'connecting', lost: 'disconnected' } as const;

/** How many exchanges the mock dropped. It also notices when the journal was cleared elsewhere. */
function useDropped(): number {
  const { data } = useQuery({
    queryKey: ['journal size'],
    queryFn: async () => {
      const upTo = journalFeed.last;
      const { journal } = await control.health();
      return { ...journal, upTo };
    },
    refetchInterval: 2_000,
  });
  useEffect(() => {
    if (data !== undefined && data.kept === 0 && data.dropped === 0) journalFeed.forget(data.upTo);
  }, [data]);
  return data?.dropped ?? 0;
}
