import { useState } from 'react';
import { isOperationId } from '../../../spec/operations.ts';
import { control, type Fault, type FaultSpec } from '../control/control.ts';
import { useFaults } from '../control/reads.ts';
import { replaceParams, useRoute } from '../navigation/route.ts';
import { Button } from '../parts/buttons.tsx';
import { ConfirmButton, Dialog } from '../parts/dialog.tsx';
import { Table } from '../parts/table.tsx';
import { Age, Instant, Loaded, RequestCount, Section } from '../parts/text.tsx';
import { describeEffect, describeTarget } from './describe-fault.ts';
import { FaultForm } from './fault-form.tsx';

/** Frequently used faults, one button each. */
const presets: Readonly<Record<string, FaultSpec>> = {
  'Next 3 requests get 429': { times: 3, reply: { status: 429 } },
  'Storage is down for a minute': { path: '/storage/*', lasts: '1m', reply: { status: 503 } },
  'Replies are slow': { latency: { median: '300ms', p99: '3s' } },
  'One reply in ten is lost': { probability: 0.1, drop: 'after' },
};

/** The faults, in the order in which the mock tries them. A link may ask for a new one: `#/time?add=fault&operation=…`. */
export function FaultsPanel() {
  const { params } = useRoute();
  const faults = useFaults();
  const [edited, setEdited] = useState<Fault | null>(null);
  const isNew = params.get('add') === 'fault';
  const asked = params.get('fault');
  const add = () => replaceParams({ add: 'fault', tenant: null });
  const close = () => {
    setEdited(null);
    replaceParams({ add: null, operation: null, path: null, key: null });
  };
  const actionsOf = (fault: Fault) => {
    const { id, spec, remaining } = fault;
    const button = (verb: string, act: () => Promise<unknown>) => (
      <Button label={verb} subject={`the fault: ${describeEffect(spec)}`} className="small" act={act} />
    );
    const pause = () => control.editFault(id, { ...spec, paused: !spec.paused });
    const again = () => control.addFault({ ...spec, paused: false }).then(() => control.removeFault(id));
    return (
      <span className="row">
        {button('Edit', async () => setEdited(fault))}
        {remaining === 0 ? button('Again', again) : button(spec.paused ? 'Resume' : 'Pause', pause)}
        {button('Remove', () => control.removeFault(id))}
      </span>
    );
  };
  return (
    <Section
      title="Faults"
      beside={
        <>
          <Button asks label="Add a fault" className="primary" onClick={add} />
          {!!faults.data?.length && (
            <ConfirmButton label="Remove all…" text="All faults are removed." act={control.clearFaults} />
          )}
        </>
      }
    >
      <p className="quiet lead">
        A fault applies after the key and the rate limit were checked and the operation was found. If several match a
        request, the first one applies.
      </p>
      <div className="row">
        Quick start:
        {Object.entries(presets).map(([name, spec]) => (
          <Button key={name} label={name} act={() => control.addFault(spec)} />
        ))}
      </div>
      {asked && faults.data?.every(({ id }) => id !== asked) && <p className="quiet">{asked} was removed.</p>}
      <Loaded query={faults}>
        {(list) => (
          <Table
            rows={list}
            keyOf={({ id }) => id}
            stateOf={({ id, spec, remaining }) =>
              id === asked ? 'marked' : remaining === 0 || spec.paused ? 'over' : undefined
            }
            none="No fault is active."
            less={['Ended', ({ id, remaining }) => remaining === 0 && id !== asked]}
            columns={[
              {
                name: 'What happens',
                cell: ({ spec }) => describeEffect(spec),
                under: ({ id, spec }) => <span id={id}>{`${id}: ${describeTarget(spec)}`}</span>,
              },
              { name: 'Ends', cell: Ends },
              {
                name: 'Times applied',
                kind: 'number',
                cell: ({ id, hits }) => <RequestCount count={hits} of={{ text: `(${id})` }} />,
              },
              { name: 'Actions', kind: 'actions', cell: actionsOf },
            ]}
          />
        )}
      </Loaded>
      {(isNew || edited !== null) && (
        <Dialog title={isNew ? 'Add a fault' : 'Edit a fault'} onClose={close}>
          <FaultForm
            initial={edited?.spec ?? askedFor(params)}
            verb={isNew ? 'Add' : 'Save'}
            act={(spec) => (edited === null ? control.addFault(spec) : control.editFault(edited.id, spec))}
          />
        </Dialog>
      )}
    </Section>
  );
}

/** The requests that a link names. */
function askedFor(params: URLSearchParams): FaultSpec {
  const { operation = '', path, tenant, key } = Object.fromEntries(params);
  return { operationId: isOperationId(operation) ? operation : undefined, path, tenant, key };
}

function Ends({ spec: { paused }, remaining, endsAt }: Fault) {
  if (paused) return <span className="badge warn">paused</span>;
  if (remaining === 0) return 'over';
  const rest = remaining !== null && `after ${remaining} more`;
  if (endsAt === null) return rest || 'when removed';
  return (
    <span>
      {rest && `${rest}, or `}at <Instant at={endsAt} /> <Age at={endsAt} />
    </span>
  );
}
