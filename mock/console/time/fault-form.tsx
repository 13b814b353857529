import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isOperationId, operationIds } from '../../../spec/operations.ts';
import { control } from '../control/control.ts';
import type { FaultSpec } from '../control/control-types.ts';
import { useAction } from '../control/use-action.ts';
import { Problem } from '../parts/problem.tsx';

const effects = {
  reply: 'Answer with a status',
  latency: 'Hold the reply back',
  before: 'Close the connection before the operation runs',
  after: 'Close the connection after it has run',
  truncated: 'Break off half-way through the body',
  malformed: 'Send a body that is no JSON',
} as const;
type Effect = keyof typeof effects;

interface Choice {
  readonly effect: Effect;
  readonly status: string;
  readonly retryAfter: string;
  readonly latency: string;
  readonly operation: string;
  readonly tenant: string;
  readonly key: string;
  readonly times: string;
  readonly percent: string;
}

const initial: Choice = {
  effect: 'reply',
  status: '503',
  retryAfter: '',
  latency: '2s',
  operation: '',
  tenant: '',
  key: '',
  times: '',
  percent: '',
};

function effectOf({ effect, status, retryAfter, latency }: Choice): FaultSpec {
  switch (effect) {
    case 'reply':
      return { reply: { status: Number(status), ...(retryAfter !== '' && { retryAfter: Number(retryAfter) }) } };
    case 'latency':
      return { latency };
    case 'before':
    case 'after':
      return { drop: effect };
    case 'truncated':
    case 'malformed':
      return { damage: effect };
  }
}

const specOf = (choice: Choice): FaultSpec => ({
  ...effectOf(choice),
  ...(isOperationId(choice.operation) && { operationId: choice.operation }),
  ...(choice.tenant !== '' && { tenant: choice.tenant }),
  ...(choice.key !== '' && { key: choice.key }),
  ...(choice.times !== '' && { times: Number(choice.times) }),
  ...(choice.percent !== '' && { probability: Number(choice.percent) / 100 }),
});

/** A fault to be added: what happens, and to which requests. */
export function FaultForm({ onClose }: { readonly onClose: () => void }) {
  const [choice, setChoice] = useState(initial);
  const { data: tenants = [] } = useQuery({ queryKey: ['tenants'], queryFn: control.tenants });
  const { run, problem } = useAction(async () => {
    await control.addFault(specOf(choice));
    onClose();
  });
  const field = (name: keyof Choice) => ({
    value: choice[name],
    onChange: (event: { target: { value: string } }) => setChoice({ ...choice, [name]: event.target.value }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <label className="field">
        What happens
        <select {...field('effect')}>
          {Object.entries(effects).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {choice.effect === 'reply' && (
        <div className="fields">
          <label className="field">
            Status
            <input type="number" min="200" max="599" required {...field('status')} />
          </label>
          <label className="field">
            Retry-After, in seconds
            <input type="number" min="0" placeholder="none" {...field('retryAfter')} />
          </label>
        </div>
      )}
      {choice.effect === 'latency' && (
        <label className="field">
          How long
          <input required placeholder="200ms, 2s" {...field('latency')} />
        </label>
      )}
      <fieldset>
        <legend>To which requests</legend>
        <label className="field">
          Operation
          <select {...field('operation')}>
            <option value="">all</option>
            {operationIds.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <div className="fields">
          <label className="field">
            Tenant
            <select {...field('tenant')}>
              <option value="">all</option>
              {tenants.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label className="field">
            Key, by its name
            <input placeholder="all" autoComplete="off" {...field('key')} />
          </label>
        </div>
        <div className="fields">
          <label className="field">
            How many
            <input type="number" min="1" step="1" placeholder="until removed" {...field('times')} />
          </label>
          <label className="field">
            Percent of them
            <input type="number" min="0" max="100" step="any" placeholder="100" {...field('percent')} />
          </label>
        </div>
      </fieldset>
      <Problem text={problem} />
      <div className="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="primary">
          Add
        </button>
      </div>
    </form>
  );
}
