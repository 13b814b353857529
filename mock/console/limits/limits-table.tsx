import type { Limit } from '../control/control-types.ts';
import { href, hrefWith } from '../navigation/route.ts';
import { HeadRow } from '../parts/head-row.tsx';
import { describeLimit } from '../words/describe-limit.ts';
import { describeWait } from '../words/describe-wait.ts';

interface LimitsTableProps {
  readonly limits: readonly Limit[];
  readonly chosen: Limit;
}

/** One row for each bucket. */
export function LimitsTable({ limits, chosen }: LimitsTableProps) {
  return (
    <table className="stacking">
      <HeadRow
        names={['Key', 'Limit', 'Level now', 'Next request passes', 'Admitted, last minute', 'Throttled, last minute']}
      />
      <tbody>
        {limits.map((limit) => (
          <tr key={limit.id} data-open={limit.id === chosen.id}>
            <th scope="row">
              <a
                href={hrefWith({ key: limit.name })}
                aria-current={limit.id === chosen.id ? 'true' : undefined}
                title="Show its last minute"
              >
                {limit.name}
              </a>
            </th>
            <td data-label="Limit" className="whole">
              {describeLimit(limit.rateLimit)}
            </td>
            <td data-label="Level now">
              <Level limit={limit} />
            </td>
            <td data-label="Next passes" className="whole">
              {describeWait(limit.wait)}
            </td>
            <td data-label="Admitted">{limit.admitted}</td>
            <td data-label="Throttled">
              <Throttled limit={limit} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Throttled({ limit: { tenant, name, throttled } }: { readonly limit: Limit }) {
  if (throttled === 0) return 0;
  return <a href={href('requests', { tenant, key: name, status: '429' })}>{throttled}</a>;
}

function Level({ limit: { name, level, rateLimit } }: { readonly limit: Limit }) {
  if (level === null || rateLimit === null) return <span className="quiet">no limit</span>;
  const { burst } = rateLimit;
  return (
    <span className="level">
      <meter min={0} max={Math.max(burst, level)} low={burst / 4} value={level} aria-label={`Level of ${name}`} />
      {level.toFixed(1)} of {burst}
    </span>
  );
}
