import { type ReactNode, useEffect, useMemo } from 'react';
import { control, type Limit } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useKnownKeys, useRead, useRecordNames } from '../control/reads.ts';
import { hrefWith, useRoute } from '../navigation/route.ts';
import { Button } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { describeCount } from '../parts/words.ts';
import { codeSample, firstRequest, keyVariable } from '../samples/code-samples.ts';
import { ExchangeDetail } from './exchange-detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filterOf, kinds, matches } from './journal-filter.ts';
import { JournalTable } from './journal-table.tsx';

/** The live list of requests, with replies and reasons of refusals. */
export default function RequestsView() {
  const { params } = useRoute();
  const exchanges = journalFeed.use();
  const connection = journalFeed.useConnection();
  const filter = useMemo(() => filterOf(params), [params]);
  const shown = useMemo(() => exchanges.filter((each) => matches(filter, each)).reverse(), [exchanges, filter]);
  const names = useRecordNames(exchanges);
  const openId = params.has('id') ? Number(params.get('id')) : null;
  const read = async () => ({ upTo: journalFeed.last(), ...(await control.health()).journal });
  const { data: journal } = useRead(['journal size'], read, { every: 2_000 });
  // The journal was cleared, here or elsewhere.
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
          <span className={`on-screen badge ${connection === 'live' ? 'good' : 'warn'}`} role="status">
            {connection === 'lost' ? 'disconnected' : connection}
          </span>
        </div>
        <Button label="Clear" disabled={exchanges.length === 0} act={control.clearJournal} />
      </div>
      <p className="quiet">
        {shown.length === exchanges.length ? '' : `${describeCount(shown.length)} of `}
        {describeCount(exchanges.length)} shown
        {Object.entries(filter.status === '' ? kinds : {}).map(([status, is]) => {
          const count = shown.filter(is).length;
          return (
            count > 0 && [', ', <a key={status} href={hrefWith({ status })}>{`${describeCount(count)} ${status}`}</a>]
          );
        })}
        {Object.values(filter).some(Boolean) && (
          <span className="on-screen">
            , <a href={hrefWith(Object.fromEntries(Object.keys(filter).map((name) => [name, null])))}>show all</a>
          </span>
        )}
        {gone && gone > 0 ? `; ${describeCount(gone)} older ones are gone, since the mock keeps the newest only` : ''}
      </p>
      <FilterBar filter={filter} exchanges={exchanges} />
      <div className="split">
        {shown.length > 0 && <JournalTable exchanges={shown} names={names} openId={openId} />}
        {shown.length === 0 && exchanges.length > 0 && <p className="empty">No request matches the filter.</p>}
        {exchanges.length === 0 && connection === 'live' && (
          <FirstRequest>
            No request yet. Every call to this mock appears here at once, as this command from a terminal:
          </FirstRequest>
        )}
        {openId !== null && (
          <ExchangeDetail id={openId} known={exchanges.find(({ id }) => id === openId)} names={names} />
        )}
      </div>
    </div>
  );
}

/** Shown where there is no request: a command for a first one. @param of the key; by default the one that the address names */
export function FirstRequest({ children, of }: { children: ReactNode; of?: Pick<Limit, 'tenant' | 'name'> }) {
  const { params } = useRoute();
  const named = of?.name ?? params.get('key');
  const known = useKnownKeys(of?.tenant ?? params.get('tenant') ?? undefined).find(
    ({ name }) => name === (named ?? name),
  );
  const secret = known?.secret ?? (named && keyVariable);
  return (
    <div className="card empty stack">
      {secret ? (
        <Code
          text={codeSample('curl', firstRequest(secret))}
          subject="the command"
          head={<p className="grow">{children}</p>}
        />
      ) : (
        children
      )}
    </div>
  );
}
