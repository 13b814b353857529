import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { control } from '../control/control.ts';
import { useAction } from '../control/use-action.ts';
import { InputField } from '../fields/input-field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';
import { describeOffset } from '../words/describe-offset.ts';

const steps = ['1s', '10s', '5m', '1h', '1d'] as const;

/** The mock's clock, which drives buckets, upload URLs, timestamps and signatures. */
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
        All tenants share this clock. Buckets refill by it and upload URLs expire by it: advance it by five minutes, and
        an upload URL has expired.
      </p>
      <div className="card clock-card">
        <Loaded query={clock}>
          {({ now, frozen, offset }) => (
            <p className="clock">
              <time dateTime={now}>{now.replace('T', ' ').replace('Z', ' UTC')}</time>{' '}
              <span className={frozen || offset !== 0 ? 'badge warn' : 'badge good'}>
                {frozen && 'frozen, '}
                {describeClock(offset)}
              </span>
              <button
                type="button"
                className="small real-time"
                disabled={!frozen && offset === 0}
                onClick={() => void run(control.resetClock)}
              >
                Back to real time
              </button>
            </p>
          )}
        </Loaded>
        <fieldset className="plain-set">
          <legend>Advance by</legend>
          <div className="row">
            {steps.map((step) => (
              <button key={step} type="button" onClick={() => void run(() => control.advanceClock(step))}>
                +{step}
              </button>
            ))}
          </div>
        </fieldset>
        <form
          className="labelled"
          onSubmit={(event) => {
            event.preventDefault();
            void run(() => control.advanceClock(by));
          }}
        >
          <InputField
            label="Another duration"
            placeholder="90s, 2h, 250ms"
            required
            size={16}
            value={by}
            onText={setBy}
          />
          <button type="submit">Advance</button>
        </form>
        <form
          className="labelled"
          onSubmit={(event) => {
            event.preventDefault();
            // The field has no time zone. The clock is shown in UTC, so the input is read as UTC.
            void run(() => control.freezeClock(at === '' ? undefined : `${at}Z`));
          }}
        >
          <InputField label="Freeze at, in UTC (empty: now)" type="datetime-local" step="1" value={at} onText={setAt} />
          <button type="submit">Freeze</button>
        </form>
      </div>
      <Problem text={problem} />
    </section>
  );
}

function describeClock(offset: number): string {
  if (offset === 0) return 'real time';
  return `${describeOffset(offset)}${offset > 0 ? ' of' : ''} real time`;
}
