import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import { href } from '../navigation/route.ts';
import { describeOffset } from '../words/describe-offset.ts';

/** What is out of the ordinary and easily forgotten: a moved clock, faults in force. */
export function WorldState() {
  const { data: clock } = useQuery({ queryKey: ['clock'], queryFn: control.clock, refetchInterval: 2_000 });
  const { data: faults = [] } = useQuery({ queryKey: ['faults'], queryFn: control.faults, refetchInterval: 2_000 });
  const striking = faults.filter(({ remaining }) => remaining !== 0).length;
  return (
    <div className="world">
      <span className="address">{location.origin}</span>
      {clock?.frozen && (
        <a className="badge warn" href={href('time')}>
          clock frozen
        </a>
      )}
      {clock !== undefined && !clock.frozen && clock.offset !== 0 && (
        <a className="badge warn" href={href('time')}>
          clock {describeOffset(clock.offset)}
        </a>
      )}
      {striking > 0 && (
        <a className="badge warn" href={href('time')}>
          {striking === 1 ? '1 fault' : `${striking} faults`}
        </a>
      )}
    </div>
  );
}
