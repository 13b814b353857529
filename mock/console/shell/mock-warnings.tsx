import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import { href } from '../navigation/route.ts';
import { describeOffset } from '../words/describe-offset.ts';

/** Warns about settings that are easily forgotten: a changed clock and active faults. */
export function MockWarnings() {
  const { data: clock } = useQuery({ queryKey: ['clock'], queryFn: control.clock, refetchInterval: 2_000 });
  const { data: faults = [] } = useQuery({ queryKey: ['faults'], queryFn: control.faults, refetchInterval: 2_000 });
  const active = faults.filter(({ remaining }) => remaining !== 0).length;
  return (
    <div className="mock-warnings">
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
      {active > 0 && (
        <a className="badge warn" href={href('time')}>
          {active === 1 ? '1 fault' : `${active} faults`}
        </a>
      )}
    </div>
  );
}
