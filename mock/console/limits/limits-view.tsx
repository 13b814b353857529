import { control, type Limit } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useRead } from '../control/reads.ts';
import { href, hrefWith, useRoute } from '../navigation/route.ts';
import { useTenant } from '../navigation/tenant.ts';
import { Table } from '../parts/table.tsx';
import { TenantSelect } from '../parts/tenant-select.tsx';
import { Loaded, RequestCount, Section } from '../parts/text.tsx';
import { describeCount, describeLimit, describeWait } from '../parts/words.ts';
import { Level, MinuteChart } from './minute-chart.tsx';

const used = ({ admitted, throttled }: Limit) => admitted + throttled;
/** Throttled ones first: they are looked for. */
const byUse = (a: Limit, b: Limit) =>
  b.throttled - a.throttled ||
  used(b) - used(a) ||
  (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? '') ||
  a.name.localeCompare(b.name, 'en', { numeric: true });

/** All buckets of a tenant, and the last minute of one of them as the mock recorded it. */
export default function LimitsView() {
  const tenant = useTenant();
  // Often enough to see a wait count down.
  const limits = useRead(['limits', tenant], () => control.limits(tenant ?? ''), { every: 250, when: tenant !== null });
  return (
    <>
      <div className="heading">
        <h1>Limits</h1>
        <TenantSelect />
      </div>
      <p className="quiet lead">
        Every key has a bucket that holds the burst and refills at the rate. Each request takes one from it. A request
        that finds it empty gets 429 with Retry-After. Chart and table show the last minute.
      </p>
      <Loaded query={limits}>{(list) => <Buckets limits={[...list].sort(byUse)} />}</Loaded>
    </>
  );
}

function Buckets({ limits }: { readonly limits: readonly Limit[] }) {
  const { params } = useRoute();
  const asked = params.get('key');
  const chosen = asked === null ? limits[0] : limits.find(({ name }) => name === asked);
  const isFull = ({ level, rateLimit }: Limit) => level === null || rateLimit === null || level >= rateLimit.burst;
  const id = chosen?.id ?? '';
  const tenant = limits[0]?.tenant ?? '';
  const throttled = journalFeed.use().filter((one) => one.refused === 'throttled' && one.tenant === tenant);
  const minute = useRead(['limit', id], () => control.limit(id), { every: 500, when: id !== '' });
  return (
    <>
      <p>
        Throttled so far: <RequestCount count={throttled.length} of={{ tenant, status: '429' }} />
      </p>
      {chosen === undefined ? (
        <p className="empty">{`This tenant has no active key${asked ? ` “${asked}”` : ''}. Revoked keys have no bucket.`}</p>
      ) : (
        <Section
          title={`${chosen.tenant} / ${chosen.name}, last minute`}
          beside={<a href={href('requests', { tenant: chosen.tenant, key: chosen.name })}>Its requests</a>}
        >
          <Loaded query={minute}>{(limit) => <MinuteChart limit={limit} />}</Loaded>
        </Section>
      )}
      <Table
        rows={limits}
        keyOf={({ id }) => id}
        stateOf={(limit) => (limit === chosen ? 'marked' : undefined)}
        less={['Idle keys', (limit) => limit !== chosen && used(limit) === 0 && isFull(limit)]}
        columns={[
          { name: 'Key', cell: ({ name }) => <a href={hrefWith({ key: name })}>{name}</a> },
          { name: 'Limit', kind: 'whole', cell: ({ rateLimit }) => describeLimit(rateLimit) },
          { name: 'Level now', kind: 'whole', cell: Level },
          { name: 'Next passes', kind: 'whole', cell: ({ wait }) => describeWait(wait) },
          { name: 'Admitted', kind: 'number', cell: ({ admitted }) => describeCount(admitted) },
          {
            name: 'Throttled',
            kind: 'number',
            cell: ({ tenant, name, throttled }) => (
              <RequestCount count={throttled} of={{ tenant, key: name, status: '429' }} />
            ),
          },
        ]}
      />
    </>
  );
}
