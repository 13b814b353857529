import { control } from '../control/control.ts';
import { useClock } from '../control/reads.ts';
import { Button } from '../parts/buttons.tsx';
import { Form, Input } from '../parts/form.tsx';
import { Instant, Loaded, Section } from '../parts/text.tsx';
import { describeOffset } from '../parts/words.ts';
import { FaultsPanel } from './faults-panel.tsx';

/** The mock's clock, which drives buckets, upload URLs, timestamps and signatures, and its faults. */
export default function TimeView() {
  const clock = useClock();
  return (
    <>
      <h1>Time and faults</h1>
      <Section title="Clock">
        <p className="quiet lead">
          All tenants share this clock. Buckets refill by it and upload URLs expire by it: advance it by five minutes,
          and an upload URL has expired.
        </p>
        <div className="card stack">
          <Loaded query={clock}>
            {({ now, frozen, offset }) => (
              <p className="row">
                <strong>
                  <Instant at={now} />
                </strong>
                <span className={frozen || offset !== 0 ? 'badge warn' : 'badge good'}>
                  {frozen && 'frozen, '}
                  {offset === 0 ? 'real time' : `${describeOffset(offset)}${offset > 0 ? ' of' : ''} real time`}
                </span>
                <Button
                  label="Back to real time"
                  className="small last"
                  disabled={!frozen && offset === 0}
                  act={control.resetClock}
                />
              </p>
            )}
          </Loaded>
          <div className="row end on-screen">
            <div className="field">
              Advance by
              <div className="row">
                {['1s', '10s', '5m', '1h', '1d'].map((step) => (
                  <Button key={step} label={`+${step}`} act={() => control.advanceClock(step)} />
                ))}
              </div>
            </div>
            <Form inline verb="Advance" act={({ by = '' }) => control.advanceClock(by)}>
              <Input label="Another duration" placeholder="90s, 2h, 250ms" required size={16} name="by" />
            </Form>
            {/* The field has no time zone. The clock is shown in UTC, so the input is read as UTC. */}
            <Form inline verb="Freeze" act={({ at }) => control.freezeClock(at ? `${at}Z` : '')}>
              <Input label="Freeze at, in UTC (empty: now)" type="datetime-local" step="1" name="at" />
            </Form>
          </div>
        </div>
      </Section>
      <FaultsPanel />
    </>
  );
}
