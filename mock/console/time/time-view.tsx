import { ClockPanel } from './clock-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';

/** What time it is for the mock, and what goes wrong on purpose. */
export default function TimeView() {
  return (
    <>
      <div className="heading">
        <h1>Time and faults</h1>
      </div>
      <ClockPanel />
      <FaultsPanel />
    </>
  );
}
