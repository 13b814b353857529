import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { control } from '../control/control.ts';
import { useAction } from '../control/use-action.ts';
import { describeOffset } from '../parts/describe-offset.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';

const steps = ['1s', '10s', '5m', '1h', '1d'] as const;

/** The one clock: buckets, upload URLs, timestamps and signatures all follow it. */
export function ClockPanel() {
  const clock = useQuery({ queryKey: ['clock'], queryFn: control.clock, refetchInterval: 1_000, staleTime: 0 });
  const [by, setBy] = useState('');
  const [at, setAt] = useState('');
  const { run, problem } = useAction(async (change: () => Promise<unknown>) => {
    await change();
  });
  return (
    <section aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p className="quiet lead">
        It drives buckets, the five minutes of upload URLs, timestamps and signatures: advance it and an upload URL
        expires at once.
      </p>
      <Loaded query={clock}>
        {({ now, frozen, offset }) => (
          <p className="clock">
            <time dateTime={now}>{now.replace('T', ' ').replace('Z', ' UTC')}</time>{' '}
            {frozen ? <span className="badge warn">frozen</span> : <span className="badge good">running</span>}{' '}
            {!frozen && offset !== 0 && <span className="badge warn">{describeOffset(offset)}</span>}
          </p>
        )}
      </Loaded>
      <div className="row">
        {steps.map((step) => (
          <button key={step} type="button" className="small" onClick={() => void run(() => control.advanceClock(step))}>
            +{step}
          </button>
        ))}
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            void run(() => control.advanceClock(by));
          }}
        >
          <input
            aria-label="Advance by"
            placeholder="90s, 2h, 250ms"
            required
            size={12}
            value={by}
            onChange={(event) => setBy(event.target.value)}
          />
          <button type="submit" className="small">
            Advance
          </button>
        </form>
      </div>
      <div className="row">
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            // The field has no zone; the clock is shown in UTC, so that is what it means.
            void run(() => control.freezeClock(at === '' ? undefined : `${at}Z`));
          }}
        >
          <button type="submit" className="small">
            {at === '' ? 'Freeze now' : 'Freeze at'}
          </button>
          <input
            type="datetime-local"
            step="1"
            aria-label="Freeze at, in UTC; empty for now"
            value={at}
            onChange={(event) => setAt(event.target.value)}
          />
        </form>
        <button type="button" className="small" onClick={() => void run(control.resetClock)}>
          Back to real time
        </button>
      </div>
      <Problem text={problem} />
    </section>
  );
}
