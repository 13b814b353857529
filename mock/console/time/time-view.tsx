import { ClockPanel } from './clock-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';

/** The mock's clock and its faults. */
export default function TimeView() {
  return (
    <>
      <h1>Time and faults</h1>
      <ClockPanel />
      <FaultsPanel />
    </>
  );
}
