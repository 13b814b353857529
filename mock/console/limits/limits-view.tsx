import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import type { Limit } from '../control/control-types.ts';
import { useKnownKeys } from '../control/known-keys.ts';
import { href, useRoute } from '../navigation/route.ts';
import { TenantSelect } from '../navigation/tenant-select.tsx';
import { useTenant } from '../navigation/use-tenant.ts';
import { Command } from '../parts/command.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { LimitsTable } from './limits-table.tsx';
import { minuteOf } from './minute.ts';
import { MinuteChart } from './minute-chart.tsx';

const isUsed = ({ admitted, throttled }: Limit) => admitted + throttled > 0;
const byUse = (a: Limit, b: Limit) =>
  b.admitted + b.throttled - (a.admitted + a.throttled) ||
  (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? '') ||
  a.name.localeCompare(b.name);

/** All buckets of a tenant, and the last minute of one of them as the mock recorded it. */
export default function LimitsView() {
  const [tenant, choose] = useTenant();
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
        {tenant !== null && <TenantSelect value={tenant} onChange={choose} />}
      </div>
      <p className="quiet lead">
        Every key has a bucket that holds the burst and refills at the rate. Each request takes one from it. A request
        that finds it empty gets 429 with Retry-After.
      </p>
      <Loaded query={limits}>{(list) => <Buckets limits={list} tenant={tenant ?? ''} />}</Loaded>
    </>
  );
}

function Buckets({ limits, tenant }: { readonly limits: readonly Limit[]; readonly tenant: string }) {
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
      {used.length > 0 ? <LimitsTable limits={used} chosen={chosen} /> : <TryTheLimit tenant={tenant} />}
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
  const limit = useQuery({
    queryKey: ['limit', id],
    queryFn: () => control.limit(id),
    refetchInterval: 500,
    staleTime: 0,
  });
  return (
    <section aria-labelledby="minute">
      <div className="heading">
        <h2 id="minute">The last minute of {name}</h2>
        <a href={href('requests', { tenant, key: name })}>Its requests</a>
      </div>
      <Loaded query={limit}>
        {(detail) => {
          const { admitted, throttled, level } = detail;
          const now = level === null ? '' : `, level now ${level.toFixed(1)}`;
          const summary = `The last minute of ${name}: ${admitted} admitted, ${throttled} throttled${now}`;
          return <MinuteChart minute={minuteOf(detail)} summary={summary} />;
        }}
      </Loaded>
    </section>
  );
}

/** A command that uses up the limit of a key, for a view that has nothing to show yet. */
function TryTheLimit({ tenant }: { readonly tenant: string }) {
  const key = useKnownKeys(tenant).at(0);
  if (key === undefined) return null;
  const url = `"${location.origin}/v1/labels?[1-40]"`;
  return (
    <section aria-labelledby="try">
      <h2 id="try">See it at work</h2>
      <p className="quiet">40 requests at once: about 20 pass, the others get 429.</p>
      <Command
        text={`curl -sZ --parallel-max 40 -o /dev/null -w '%{http_code}\\n' \\\n  -H 'x-api-key: ${key.secret}' \\\n  ${url}`}
      />
    </section>
  );
}
