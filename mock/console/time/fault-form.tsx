import { useState } from 'react';
import { isOperationId, operationIds } from '../../../spec/operations.ts';
import { defaultRetryAfter } from '../../faults/status-reply.ts';
import type { FaultSpec } from '../control/control.ts';
import { useTenants } from '../control/reads.ts';
import { Form, Input, Select } from '../parts/form.tsx';
import { effects } from './describe-fault.ts';

const effectOf = ({ reply, latency, drop, damage }: FaultSpec): keyof typeof effects =>
  reply !== undefined ? 'reply' : latency !== undefined ? 'latency' : (drop ?? damage ?? 'reply');

/** The values of the form, as text: by the names of the fault's parts, where those are texts or numbers. */
const valuesOf = ({ reply, latency, probability, ...spec }: FaultSpec): Readonly<Record<string, unknown>> => ({
  ...spec,
  effect: effectOf({ reply, latency, ...spec }),
  status: reply?.status ?? 503,
  retryAfter: reply?.retryAfter,
  // A duration, or a distribution as JSON.
  latency: typeof latency === 'object' ? JSON.stringify(latency) : (latency ?? '2s'),
  percent: probability && Math.round(probability * 10_000) / 100,
});

/**
 * The fault that the form specifies. An empty field sets no limit.
 * @param before the fault that is edited: what the form has no field for stays
 */
function specOf(values: Readonly<Record<string, string>>, before: FaultSpec): FaultSpec {
  const { effect = '', latency = '', operationId = '', lasts = '' } = values;
  const number = (text?: string) => (text ? Number(text) : undefined);
  const part = effects[effect as keyof typeof effects][1];
  const parts = {
    reply: { ...before.reply, status: Number(values.status), retryAfter: number(values.retryAfter) },
    latency: latency.startsWith('{') ? JSON.parse(latency) : latency,
    drop: effect,
    damage: effect,
  };
  return {
    ...before,
    [effects[effectOf(before)][1]]: undefined,
    [part]: parts[part],
    operationId: isOperationId(operationId) ? operationId : undefined,
    path: values.path || undefined,
    tenant: values.tenant || undefined,
    key: values.key || undefined,
    times: number(values.times),
    // Milliseconds are a number, other durations have a unit.
    lasts: number(/^\d+$/.test(lasts) ? lasts : '') ?? (lasts || undefined),
    probability: values.percent ? Number(values.percent) / 100 : undefined,
  };
}

type FaultFormProps = { initial: FaultSpec; verb: string; act: (spec: FaultSpec) => unknown };

/** The form for a fault, one that is edited or what a new one is about: what happens, and to which requests. */
export function FaultForm({ initial, verb, act }: FaultFormProps) {
  const before = valuesOf(initial);
  const [effect, setEffect] = useState<string>(effectOf(initial));
  const [status, setStatus] = useState(String(before.status));
  const { data: tenants = [] } = useTenants();
  const field = (label: string, name: string, placeholder = '') => ({
    label,
    name,
    placeholder,
    defaultValue: String(before[name] ?? ''),
    autoComplete: 'off',
  });
  const wait = defaultRetryAfter(Number(status));
  const usual = wait === undefined ? 'none' : `${wait}, the default for ${status}`;
  return (
    <Form verb={verb} act={(values) => act(specOf(values, initial))}>
      <Select
        {...field('What happens', 'effect')}
        onText={setEffect}
        options={Object.entries(effects).map(([name, [words]]) => [name, words] as const)}
      />
      {effect === 'reply' && (
        <div className="row fields">
          <Input type="number" min="200" max="599" required {...field('Status', 'status')} onText={setStatus} />
          <Input type="number" min="0" {...field('Retry-After, in seconds', 'retryAfter', usual)} />
        </div>
      )}
      {effect === 'latency' && <Input required {...field('How long', 'latency', '200ms, 2s')} />}
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
