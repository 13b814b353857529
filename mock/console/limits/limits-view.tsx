import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import type { Limit } from '../control/control-types.ts';
import { useRead } from '../control/reads.ts';
import { href, hrefWith, useRoute } from '../navigation/route.ts';
import { TenantSelect, useTenant } from '../navigation/tenant.tsx';
import { type Column, Table } from '../parts/table.tsx';
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
  const chosen = sorted.find(({ name }) => name === params.get('key')) ?? sorted[0];
  if (chosen === undefined) return <p className="empty">This tenant has no active key.</p>;
  return (
    <>
      <LastMinute key={chosen.id} limit={chosen} />
      <Table
        rows={sorted}
        keyOf={({ id }) => id}
        stateOf={(limit) => (limit === chosen ? 'marked' : isUsed(limit) ? undefined : 'over')}
        columns={columns}
      />
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

const columns: readonly Column<Limit>[] = [
  {
    name: 'Key',
    cell: ({ name }) => (
      <a href={hrefWith({ key: name })} title="Show its last minute">
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
];

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
