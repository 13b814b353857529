import { ClockPanel } from './clock-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { WrongPanel } from './wrong-panel.tsx';

/** The mock's clock, its faults, and the rule that it breaks. */
export default function TimeView() {
  return (
    <>
      <h1>Time and faults</h1>
      <ClockPanel />
      <FaultsPanel />
      <WrongPanel />
    </>
  );
}
