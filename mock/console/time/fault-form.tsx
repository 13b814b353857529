import { useState } from 'react';
import { isOperationId, operationIds } from '../../../spec/operations.ts';
import { defaultRetryAfter } from '../../faults/status-reply.ts';
import { control, type FaultSpec } from '../control/control.ts';
import { useTenants } from '../control/reads.ts';
import { Form, Input, Select } from '../parts/form.tsx';
import { effects } from './describe-fault.ts';

/** The fault that the form specifies. An empty field sets no limit. */
function specOf(values: Readonly<Record<string, string>>): FaultSpec {
  const { effect = '', latency, operationId = '' } = values;
  const number = (text?: string) => (text ? Number(text) : undefined);
  const part = effects[effect as keyof typeof effects][1];
  const reply = { status: Number(values.status), retryAfter: number(values.retryAfter) };
  return {
    [part]: { reply, latency, drop: effect, damage: effect }[part],
    operationId: isOperationId(operationId) ? operationId : undefined,
    path: values.path || undefined,
    tenant: values.tenant || undefined,
    key: values.key || undefined,
    times: number(values.times),
    lasts: values.lasts || undefined,
    probability: values.percent ? Number(values.percent) / 100 : undefined,
  };
}

/** The form for a new fault: what happens, and to which requests. @param requests those that a link names */
export function FaultForm({ requests, onClose }: { readonly requests: URLSearchParams; readonly onClose: () => void }) {
  const [effect, setEffect] = useState<string>('reply');
  const [status, setStatus] = useState('503');
  const { data: tenants = [] } = useTenants();
  const field = (label: string, name: string, placeholder = '') => ({
    label,
    name,
    placeholder,
    defaultValue: requests.get(name) ?? '',
    autoComplete: 'off',
  });
  const wait = defaultRetryAfter(Number(status));
  const usual = wait === undefined ? 'none' : `${wait}, the default for ${status}`;
  const send = async (values: Readonly<Record<string, string>>) => {
    await control.addFault(specOf(values));
    onClose();
  };
  return (
    <Form verb="Add" act={send} onCancel={onClose}>
      <Select
        {...field('What happens', 'effect')}
        onText={setEffect}
        options={Object.entries(effects).map(([name, [words]]) => [name, words] as const)}
      />
      {effect === 'reply' && (
        <div className="row fields">
          <Input
            type="number"
            min="200"
            max="599"
            required
            {...field('Status', 'status')}
            defaultValue="503"
            onText={setStatus}
          />
          <Input type="number" min="0" {...field('Retry-After, in seconds', 'retryAfter', usual)} />
        </div>
      )}
      {effect === 'latency' && <Input required {...field('How long', 'latency', '200ms, 2s')} defaultValue="2s" />}
      <fieldset>
        <legend>To which requests</legend>
        <div className="row fields">
          <Select {...field('Operation', 'operationId')} options={[['', 'all'], ...operationIds]} />
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
