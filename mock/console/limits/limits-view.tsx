import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { control, type Limit } from '../control/control.ts';
import { href, hrefWith, useRoute } from '../navigation/route.ts';
import { TenantSelect } from '../navigation/tenant-select.tsx';
import { useTenant } from '../navigation/use-tenant.ts';
import { describeLimit } from '../parts/describe-limit.ts';
import { Loaded } from '../parts/loaded.tsx';
import { journalFeed } from '../requests/journal-feed.ts';
import { LevelHistory } from './level-history.ts';
import { minuteOf } from './minute.ts';
import { MinuteChart } from './minute-chart.tsx';

const history = new LevelHistory();
const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);

/** The buckets now, and the last minute of one of them. */
export function LimitsView() {
  const [tenant, choose] = useTenant();
  const limits = useQuery({
    queryKey: ['limits', tenant],
    queryFn: async () => {
      const answer = await control.limits(tenant ?? '');
      const now = Date.parse(answer.now);
      history.note(answer.limits, now);
      return { now, limits: answer.limits };
    },
    enabled: tenant !== null,
    refetchInterval: 500,
    staleTime: 0,
  });
  return (
    <>
      <div className="heading">
        <h1>Limits</h1>
        {tenant !== null && <TenantSelect value={tenant} onChange={choose} />}
      </div>
      <p className="quiet lead">
        Every key has a bucket. It holds the burst, refills at the rate, and a request that finds it empty gets 429 with
        Retry-After and takes nothing.
      </p>
      <Loaded query={limits}>{(now) => <Buckets {...now} />}</Loaded>
    </>
  );
}

function Buckets({ limits, now }: { readonly limits: readonly Limit[]; readonly now: number }) {
  const { exchanges } = useSyncExternalStore(journalFeed.subscribe, journalFeed.state);
  const { params } = useRoute();
  const minutes = useMemo(
    () => limits.map((limit) => ({ limit, minute: minuteOf(exchanges, limit, history.of(limit.id), now) })),
    [limits, exchanges, now],
  );
  const chosen = minutes.find(({ limit }) => limit.name === params.get('key')) ?? minutes[0];
  if (chosen === undefined) return <p className="empty">This tenant has no key that works.</p>;
  const admitted = sum(chosen.minute.admitted);
  const throttled = sum(chosen.minute.throttled);
  const summary = `The last minute of ${chosen.limit.name}: ${admitted} admitted, ${throttled} throttled${
    chosen.limit.level === null ? '' : `, level now ${chosen.limit.level.toFixed(1)}`
  }`;
  return (
    <>
      <section aria-labelledby="minute">
        <h2 id="minute">
          The last minute of {chosen.limit.name}{' '}
          <span className="quiet">
            {admitted} admitted, {throttled} throttled
          </span>
        </h2>
        <MinuteChart minute={chosen.minute} summary={summary} />
      </section>
      <table className="stacking">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Limit</th>
            <th scope="col">Level now</th>
            <th scope="col">Admitted, last minute</th>
            <th scope="col">Throttled, last minute</th>
          </tr>
        </thead>
        <tbody>
          {minutes.map(({ limit, minute }) => (
            <tr key={limit.id} data-open={limit.id === chosen.limit.id}>
              <th scope="row">
                <a
                  href={hrefWith({ key: limit.name })}
                  aria-current={limit.id === chosen.limit.id ? 'true' : undefined}
                  title="Show its last minute"
                >
                  {limit.name}
                </a>
              </th>
              <td data-label="Limit">{describeLimit(limit.rateLimit)}</td>
              <td data-label="Level now">
                <Level limit={limit} />
              </td>
              <td data-label="Admitted">{sum(minute.admitted)}</td>
              <td data-label="Throttled">
                <Throttled limit={limit} count={sum(minute.throttled)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Throttled({ limit, count }: { readonly limit: Limit; readonly count: number }) {
  if (count === 0) return 0;
  return <a href={href('requests', { tenant: limit.tenant, key: limit.name, status: '429' })}>{count}</a>;
}

function Level({ limit }: { readonly limit: Limit }) {
  if (limit.level === null || limit.rateLimit === null) return <span className="quiet">no limit</span>;
  const { burst } = limit.rateLimit;
  return (
    <span className="level">
      <meter min={0} max={burst} low={burst / 4} value={limit.level} aria-label={`Level of ${limit.name}`} />
      {limit.level.toFixed(1)} of {burst}
    </span>
  );
}
