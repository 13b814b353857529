import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import type { Limit } from '../control/control-types.ts';
import { useRead } from '../control/reads.ts';
import { href, hrefWith, useRoute } from '../navigation/route.ts';
import { TenantSelect, useTenant } from '../navigation/tenant.tsx';
import { Table } from '../parts/table.tsx';
import { Loaded } from '../parts/text.tsx';
import { describeLimit, describeWait } from '../parts/words.ts';
import { MinuteChart } from './minute-chart.tsx';

const isUsed = ({ admitted, throttled }: Limit) => admitted + throttled > 0;
const byUse = (a: Limit, b: Limit) =>
  b.admitted + b.throttled - (a.admitted + a.throttled) ||
  (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? '') ||
  a.name.localeCompare(b.name);

/** All buckets of a tenant, and the last minute of one of them as the mock recorded it. */
export default function LimitsView() {
  const tenant = useTenant();
  const limits = useQuery({
    queryKey: ['limits', tenant],
    queryFn: () => control.limits(tenant ?? ''),
    enabled: tenant !== null,
    // Often enough to see a wait count down.
    refetchInterval: ({ state }) => (state.data?.some(({ wait }) => wait) ? 250 : 500),
    staleTime: 0,
  });
  return (
    <>
      <div className="heading">
        <h1>Limits</h1>
        <TenantSelect />
      </div>
      <p className="quiet lead">
        Every key has a bucket that holds the burst and refills at the rate. Each request takes one from it. A request
        that finds it empty gets 429 with Retry-After.
      </p>
      <Loaded query={limits}>{(list) => <Buckets limits={list} />}</Loaded>
    </>
  );
}

function Buckets({ limits }: { readonly limits: readonly Limit[] }) {
  const { params } = useRoute();
  const sorted = [...limits].sort(byUse);
  const used = sorted.filter(isUsed);
  const idle = sorted.filter((limit) => !isUsed(limit));
  const chosen = sorted.find(({ name }) => name === params.get('key')) ?? sorted[0];
  if (chosen === undefined) return <p className="empty">This tenant has no active key.</p>;
  const chosenIsIdle = !isUsed(chosen) && params.has('key');
  return (
    <>
      <LastMinute key={chosen.id} limit={chosen} />
      {used.length > 0 && <LimitsTable limits={used} chosen={chosen} />}
      {idle.length > 0 && (
        <details key={String(chosenIsIdle)} open={chosenIsIdle}>
          <summary>{idle.length === 1 ? '1 key' : `${idle.length} keys`} not used in the last minute</summary>
          <LimitsTable limits={idle} chosen={chosen} />
        </details>
      )}
    </>
  );
}

function LastMinute({ limit: { id, name, tenant } }: { readonly limit: Limit }) {
  const limit = useRead(['limit', id], () => control.limit(id), { every: 500 });
  return (
    <section aria-labelledby="minute">
      <div className="heading">
        <h2 id="minute">The last minute of {name}</h2>
        <a href={href('requests', { tenant, key: name })}>Its requests</a>
      </div>
      <Loaded query={limit}>{(detail) => <MinuteChart limit={detail} />}</Loaded>
    </section>
  );
}

interface LimitsTableProps {
  readonly limits: readonly Limit[];
  readonly chosen: Limit;
}

/** One row for each bucket. */
const LimitsTable = ({ limits, chosen }: LimitsTableProps) => (
  <Table
    rows={limits}
    keyOf={({ id }) => id}
    stateOf={({ id }) => (id === chosen.id ? 'marked' : undefined)}
    columns={[
      {
        name: 'Key',
        cell: ({ id, name }) => (
          <a
            href={hrefWith({ key: name })}
            aria-current={id === chosen.id ? 'true' : undefined}
            title="Show its last minute"
          >
            {name}
          </a>
        ),
      },
      { name: 'Limit', kind: 'whole', cell: ({ rateLimit }) => describeLimit(rateLimit) },
      { name: 'Level now', kind: 'whole', cell: (limit) => <Level limit={limit} /> },
      { name: 'Next passes', kind: 'whole', cell: ({ wait }) => describeWait(wait) },
      { name: 'Admitted, last minute', kind: 'number', cell: ({ admitted }) => admitted },
      {
        name: 'Throttled, last minute',
        kind: 'number',
        cell: ({ tenant, name, throttled }) =>
          throttled === 0 ? 0 : <a href={href('requests', { tenant, key: name, status: '429' })}>{throttled}</a>,
      },
    ]}
  />
);

function Level({ limit: { name, level, rateLimit } }: { readonly limit: Limit }) {
  if (level === null || rateLimit === null) return <span className="quiet">no limit</span>;
  const { burst } = rateLimit;
  return (
    <span>
      <meter min={0} max={Math.max(burst, level)} low={burst / 4} value={level} aria-label={`Level of ${name}`} />{' '}
      {level.toFixed(1)} of {burst}
    </span>
  );
}
