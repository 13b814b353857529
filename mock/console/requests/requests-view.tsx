import { useEffect, useMemo, useState } from 'react';
import { control } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useAction, useKnownKeys, useRead, useRecordNames } from '../control/reads.ts';
import { hrefWith, useRoute } from '../navigation/route.ts';
import { Button } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Problem } from '../parts/text.tsx';
import { describeCount } from '../parts/words.ts';
import { codeSample, firstRequest, keyVariable } from '../samples/code-samples.ts';
import { ExchangeDetail } from './exchange-detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filterOf, isRefused, matches } from './journal-filter.ts';
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
  const filter = useMemo(() => filterOf(params), [params]);
  const shown = useMemo(
    () => exchanges.filter((each) => (pausedAt === null || each.id <= pausedAt) && matches(filter, each)).reverse(),
    [exchanges, pausedAt, filter],
  );
  const names = useRecordNames(exchanges);
  const state = pausedAt !== null ? 'paused' : connection === 'lost' ? 'disconnected' : connection;
  const openId = params.has('id') ? Number(params.get('id')) : null;
  const at = openId === null ? -1 : shown.findIndex(({ id }) => id === openId);
  const refused = shown.filter(isRefused).length;
  const newer = pausedAt === null ? 0 : exchanges.filter(({ id }) => id > pausedAt).length;
  const read = async () => ({ upTo: journalFeed.last(), ...(await control.health()).journal });
  const { data: journal } = useRead(['journal size'], read, { every: 2_000 });
  // The journal may have been cleared elsewhere.
  useEffect(() => {
    if (journal !== undefined && journal.kept + journal.dropped === 0) journalFeed.forget(journal.upTo);
  }, [journal]);
  // Neither the mock nor the page has these any more.
  const gone = journal && Math.min(journal.dropped, journal.kept + journal.dropped - exchanges.length);
  return (
    <div className="requests stack" data-detail={openId !== null}>
      <div className="heading">
        <div className="row">
          <h1>Requests</h1>
          <span className={`on-screen badge ${state === 'live' ? 'good' : 'warn'}`} role="status">
            {state}
          </span>
        </div>
        <Button
          label={pausedAt === null ? 'Pause' : 'Resume'}
          aria-pressed={pausedAt !== null}
          onClick={() => setPausedAt(pausedAt === null ? journalFeed.last() : null)}
        />
        <Button asks label="Clear" disabled={exchanges.length === 0} onClick={() => void clear.run()} />
        <a className="button back" href={hrefWith({ id: null })}>
          ‹ All requests
        </a>
      </div>
      <p className="quiet">
        {shown.length === exchanges.length ? '' : `${describeCount(shown.length)} of `}
        {describeCount(exchanges.length)} shown
        {filter.status === '' && refused > 0 && (
          <>
            , <a href={hrefWith({ status: 'refused' })}>{describeCount(refused)} refused</a>
          </>
        )}
        {Object.values(filter).some(Boolean) && (
          <span className="on-screen">
            , <a href={hrefWith(Object.fromEntries(Object.keys(filter).map((name) => [name, null])))}>show all</a>
          </span>
        )}
        {newer > 0 && `, ${describeCount(newer)} new since the pause`}
        {gone && gone > 0 ? `; ${describeCount(gone)} older ones are gone, since the mock keeps the newest only` : ''}
      </p>
      <Problem text={clear.failure?.message ?? null} />
      <FilterBar filter={filter} exchanges={exchanges} />
      <div className="split">
        {shown.length > 0 && <JournalTable exchanges={shown} names={names} openId={openId} />}
        {shown.length === 0 && exchanges.length > 0 && <p className="empty">No request matches the filter.</p>}
        {exchanges.length === 0 && connection === 'live' && (
          <FirstRequest says="No request yet. Every call to this mock appears here at once, as this command from a terminal:" />
        )}
        {openId !== null && (
          <ExchangeDetail
            id={openId}
            known={exchanges.find(({ id }) => id === openId)}
            names={names}
            newer={at > 0 ? shown[at - 1]?.id : undefined}
            older={at < 0 ? undefined : shown[at + 1]?.id}
          />
        )}
      </div>
    </div>
  );
}

/** Shown where there is no request: a command for a first one, with the key that the address names. */
export function FirstRequest({ says }: { readonly says: string }) {
  const { params } = useRoute();
  const named = params.get('key');
  const known = useKnownKeys(params.get('tenant') ?? undefined).find(({ name }) => name === (named ?? name));
  const secret = known?.secret ?? (named && keyVariable);
  return (
    <div className="card empty stack">
      <p>{says}</p>
      {secret && <Code text={codeSample('curl', firstRequest(secret))} subject="the command" />}
    </div>
  );
}
