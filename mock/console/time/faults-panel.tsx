import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { control } from '../control/control.ts';
import type { FaultSpec } from '../control/control-types.ts';
import { useAction } from '../control/use-action.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { HeadRow } from '../parts/head-row.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';
import { describeEffect, describeTarget } from './describe-fault.ts';
import { FaultForm } from './fault-form.tsx';
import { Presets } from './presets.tsx';

/** The active faults, in the order in which the mock tries them. */
export function FaultsPanel() {
  const faults = useQuery({ queryKey: ['faults'], queryFn: control.faults, refetchInterval: 2_000 });
  const [adding, setAdding] = useState(false);
  const { run, problem } = useAction(async (act: () => Promise<unknown>) => {
    await act();
  });
  return (
    <section aria-labelledby="faults">
      <div className="heading">
        <h2 id="faults">Faults</h2>
        <button type="button" className="primary" onClick={() => setAdding(true)}>
          Add a fault
        </button>
        {(faults.data?.length ?? 0) > 0 && (
          <button type="button" onClick={() => void run(control.clearFaults)}>
            Remove all
          </button>
        )}
      </div>
      <p className="quiet lead">
        A fault applies after the key and the rate limit were checked and the operation was found. If several match a
        request, the first one applies.
      </p>
      <Presets add={(spec) => void run(() => control.addFault(spec))} />
      <Problem text={problem} />
      <Loaded query={faults}>
        {(list) =>
          list.length === 0 ? (
            <p className="empty">No fault is active: every request is answered as the contract says.</p>
          ) : (
            <table className="stacking">
              <HeadRow names={['What happens', 'To which requests', 'Applied', 'Remaining']} hiddenName="Actions" />
              <tbody>
                {list.map(({ id, spec, hits, remaining }) => (
                  <tr key={id} data-revoked={remaining === 0}>
                    <th scope="row">{describeEffect(spec)}</th>
                    <td data-label="Requests">{describeTarget(spec)}</td>
                    <td data-label="Applied">{hits}</td>
                    <td data-label="Remaining">{describeRemaining(spec, remaining)}</td>
                    <td className="row-actions">
                      <button
                        type="button"
                        className="small"
                        aria-label={`Remove the fault: ${describeEffect(spec)}`}
                        onClick={() => void run(() => control.removeFault(id))}
                      >
                        Remove
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {adding && (
        <Dialog title="Add a fault" onClose={() => setAdding(false)}>
          <FaultForm onClose={() => setAdding(false)} />
        </Dialog>
      )}
    </section>
  );
}

function describeRemaining({ lasts }: FaultSpec, remaining: number | null): string {
  if (remaining === 0) return 'over';
  if (remaining !== null) return String(remaining);
  return lasts === undefined ? 'until removed' : 'until its time is over';
}
