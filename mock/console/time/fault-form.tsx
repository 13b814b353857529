import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationIds } from '../../../spec/operations.ts';
import { defaultRetryAfter } from '../../faults/status-reply.ts';
import { control } from '../control/control.ts';
import { useAction } from '../control/use-action.ts';
import { FormActions } from '../dialogs/form-actions.tsx';
import { Problem } from '../parts/problem.tsx';
import { effects, type FaultChoice, noChoice, specOf } from './fault-choice.ts';
import { SentPreview } from './sent-preview.tsx';

/** The form for a new fault: what happens, and to which requests. */
export function FaultForm({ onClose }: { readonly onClose: () => void }) {
  const [choice, setChoice] = useState(noChoice);
  const { data: tenants = [] } = useQuery({ queryKey: ['tenants'], queryFn: control.tenants });
  const { run, problem } = useAction(async () => {
    await control.addFault(specOf(choice));
    onClose();
  });
  const field = (name: keyof FaultChoice) => ({
    value: choice[name],
    onChange: (event: { target: { value: string } }) => setChoice({ ...choice, [name]: event.target.value }),
  });
  const defaultWait = defaultRetryAfter(Number(choice.status));
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
            <input
              type="number"
              min="0"
              placeholder={defaultWait === undefined ? 'none' : `${defaultWait}, the default for ${choice.status}`}
              {...field('retryAfter')}
            />
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
        <div className="fields">
          <label className="field">
            Operation
            <select {...field('operation')}>
              <option value="">all</option>
              {operationIds.map((id) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          </label>
          <label className="field">
            Path (* matches any text)
            <input placeholder="all; uploads: /storage/*" autoComplete="off" {...field('path')} />
          </label>
        </div>
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
            <input type="number" min="1" step="1" placeholder="all of them" {...field('times')} />
          </label>
          <label className="field">
            For how long
            <input placeholder="until removed" autoComplete="off" {...field('lasts')} />
          </label>
          <label className="field">
            Percent of them
            <input type="number" min="0" max="100" step="any" placeholder="100" {...field('percent')} />
          </label>
        </div>
      </fieldset>
      <SentPreview spec={specOf(choice)} />
      <Problem text={problem} />
      <FormActions verb="Add" onCancel={onClose} />
    </form>
  );
}
