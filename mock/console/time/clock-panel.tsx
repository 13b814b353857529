import { useState } from 'react';
import { control } from '../control/control.ts';
import { useClock } from '../control/reads.ts';
import { useAction } from '../control/use-action.ts';
import { Form, Input } from '../parts/form.tsx';
import { Instant, Loaded, Problem } from '../parts/text.tsx';
import { describeOffset } from '../parts/words.ts';

const steps = ['1s', '10s', '5m', '1h', '1d'] as const;

/** The mock's clock, which drives buckets, upload URLs, timestamps and signatures. */
export function ClockPanel() {
  const clock = useClock();
  const [by, setBy] = useState('');
  const [at, setAt] = useState('');
  const { run, failure } = useAction((change: () => Promise<unknown>) => change());
  return (
    <section aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p className="quiet lead">
        All tenants share this clock. Buckets refill by it and upload URLs expire by it: advance it by five minutes, and
        an upload URL has expired.
      </p>
      <div className="card row end">
        <Loaded query={clock}>
          {({ now, frozen, offset }) => (
            <p className="row clock">
              <Instant at={now} />
              <span className={frozen || offset !== 0 ? 'badge warn' : 'badge good'}>
                {frozen && 'frozen, '}
                {describeClock(offset)}
              </span>
              <button
                type="button"
                className="small last"
                disabled={!frozen && offset === 0}
                onClick={() => void run(control.resetClock)}
              >
                Back to real time
              </button>
            </p>
          )}
        </Loaded>
        <div className="field">
          Advance by
          <div className="row">
            {steps.map((step) => (
              <button key={step} type="button" onClick={() => void run(() => control.advanceClock(step))}>
                +{step}
              </button>
            ))}
          </div>
        </div>
        <Form inline verb="Advance" act={() => control.advanceClock(by)}>
          <Input label="Another duration" placeholder="90s, 2h, 250ms" required size={16} value={by} onText={setBy} />
        </Form>
        {/* The field has no time zone. The clock is shown in UTC, so the input is read as UTC. */}
        <Form inline verb="Freeze" act={() => control.freezeClock(at && `${at}Z`)}>
          <Input label="Freeze at, in UTC (empty: now)" type="datetime-local" step="1" value={at} onText={setAt} />
        </Form>
      </div>
      <Problem text={failure?.message ?? null} />
    </section>
  );
}

function describeClock(offset: number): string {
  if (offset === 0) return 'real time';
  return `${describeOffset(offset)}${offset > 0 ? ' of' : ''} real time`;
}
