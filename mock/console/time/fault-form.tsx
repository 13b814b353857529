import { useState } from 'react';
import { operationIds } from '../../../spec/operations.ts';
import { defaultRetryAfter } from '../../faults/status-reply.ts';
import type { FaultSpec } from '../control/control.ts';
import { useTenants } from '../control/reads.ts';
import { Form, Input, Select } from '../parts/form.tsx';
import { choiceOf, effects, type FaultChoice, specOf } from './fault-choice.ts';

interface FaultFormProps {
  /** The fault that is edited, or what a new one is about. */
  readonly initial: FaultSpec;
  readonly verb: string;
  readonly act: (spec: FaultSpec) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The form for a fault: what happens, and to which requests. */
export function FaultForm({ initial, verb, act, onClose }: FaultFormProps) {
  const [choice, setChoice] = useState(() => choiceOf(initial));
  const { data: tenants = [] } = useTenants();
  const field = (label: string, name: keyof FaultChoice, placeholder = '') => ({
    label,
    placeholder,
    value: choice[name],
    autoComplete: 'off',
    onText: (text: string) => setChoice({ ...choice, [name]: text }),
  });
  const wait = defaultRetryAfter(Number(choice.status));
  const usual = wait === undefined ? 'none' : `${wait}, the default for ${choice.status}`;
  const send = async () => {
    await act(specOf(choice, initial));
    onClose();
  };
  return (
    <Form verb={verb} act={send} onCancel={onClose}>
      <Select
        {...field('What happens', 'effect')}
        options={Object.entries(effects).map(([name, [words]]) => [name, words] as const)}
      />
      {choice.effect === 'reply' && (
        <div className="row fields">
          <Input type="number" min="200" max="599" required {...field('Status', 'status')} />
          <Input type="number" min="0" {...field('Retry-After, in seconds', 'retryAfter', usual)} />
        </div>
      )}
      {choice.effect === 'latency' && <Input required {...field('How long', 'latency', '200ms, 2s')} />}
      <fieldset>
        <legend>To which requests</legend>
        <div className="row fields">
          <Select {...field('Operation', 'operation')} options={[['', 'all'], ...operationIds]} />
          <Input {...field('Path (* matches any text)', 'path', 'all; uploads: /storage/*')} />
        </div>
        <div className="row fields">
          <Select {...field('Tenant', 'tenant')} options={[['', 'all'], ...tenants.map(({ name }) => name)]} />
          <Input {...field('Key, by its name', 'key', 'all')} />
        </div>
        <div className="row fields">
          <Input type="number" min="1" step="1" {...field('How many', 'times', 'all of them')} />
          <Input {...field('For how long', 'lasts', 'until removed')} />
          <Input type="number" min="0" max="100" step="any" {...field('Percent of them', 'percent', '100')} />
        </div>
      </fieldset>
    </Form>
  );
}
