import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationIds } from '../../../spec/operations.ts';
import { defaultRetryAfter } from '../../faults/status-reply.ts';
import { control } from '../control/control.ts';
import { useAction } from '../control/use-action.ts';
import { FormActions } from '../dialogs/form-actions.tsx';
import { InputField } from '../fields/input-field.tsx';
import { SelectField } from '../fields/select-field.tsx';
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
    onText: (text: string) => setChoice({ ...choice, [name]: text }),
  });
  const defaultWait = defaultRetryAfter(Number(choice.status));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <SelectField label="What happens" {...field('effect')}>
        {Object.entries(effects).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </SelectField>
      {choice.effect === 'reply' && (
        <div className="fields">
          <InputField label="Status" type="number" min="200" max="599" required {...field('status')} />
          <InputField
            label="Retry-After, in seconds"
            type="number"
            min="0"
            placeholder={defaultWait === undefined ? 'none' : `${defaultWait}, the default for ${choice.status}`}
            {...field('retryAfter')}
          />
        </div>
      )}
      {choice.effect === 'latency' && (
        <InputField label="How long" required placeholder="200ms, 2s" {...field('latency')} />
      )}
      <fieldset>
        <legend>To which requests</legend>
        <div className="fields">
          <SelectField label="Operation" options={operationIds} {...field('operation')}>
            <option value="">all</option>
          </SelectField>
          <InputField
            label="Path (* matches any text)"
            placeholder="all; uploads: /storage/*"
            autoComplete="off"
            {...field('path')}
          />
        </div>
        <div className="fields">
          <SelectField label="Tenant" options={tenants.map(({ name }) => name)} {...field('tenant')}>
            <option value="">all</option>
          </SelectField>
          <InputField label="Key, by its name" placeholder="all" autoComplete="off" {...field('key')} />
        </div>
        <div className="fields">
          <InputField label="How many" type="number" min="1" step="1" placeholder="all of them" {...field('times')} />
          <InputField label="For how long" placeholder="until removed" autoComplete="off" {...field('lasts')} />
          <InputField
            label="Percent of them"
            type="number"
            min="0"
            max="100"
            step="any"
            placeholder="100"
            {...field('percent')}
          />
        </div>
      </fieldset>
      <SentPreview spec={specOf(choice)} />
      <Problem text={problem} />
      <FormActions verb="Add" onCancel={onClose} />
    </form>
  );
}
