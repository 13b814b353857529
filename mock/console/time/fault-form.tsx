import { useState } from 'react';
import { isOperationId, operationIds } from '../../../spec/operations.ts';
import { defaultRetryAfter } from '../../faults/status-reply.ts';
import type { FaultSpec } from '../control/control.ts';
import { useTenants } from '../control/reads.ts';
import { Form, Input, Select } from '../parts/form.tsx';

/** The effects that the form offers, each with the part of a fault that it sets. */
const effects = {
  reply: ['Answer with a status', 'reply'],
  latency: ['Delay the reply', 'latency'],
  before: ['Close the connection before the operation runs', 'drop'],
  after: ['Close the connection after it has run', 'drop'],
  truncated: ['Cut the reply off half-way', 'damage'],
  malformed: ['Send a body that is not JSON', 'damage'],
} as const;

/** The values of the form, as text. An empty field sets no limit. */
type FaultChoice = Readonly<
  Record<'status' | 'retryAfter' | 'latency' | 'operation' | 'path' | 'tenant' | 'key' | 'times' | 'lasts', string>
> & { readonly effect: keyof typeof effects; readonly percent: string };

/** The form for a fault, at first for one that answers 503. */
function choiceOf({ reply, latency, drop, damage, ...spec }: FaultSpec): FaultChoice {
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  return {
    effect: reply !== undefined ? 'reply' : latency !== undefined ? 'latency' : (drop ?? damage ?? 'reply'),
    status: text(reply?.status ?? 503),
    retryAfter: text(reply?.retryAfter),
    // A duration, or a distribution as JSON.
    latency: typeof latency === 'object' ? JSON.stringify(latency) : text(latency ?? '2s'),
    operation: text(spec.operationId),
    path: text(spec.path),
    tenant: text(spec.tenant),
    key: text(spec.key),
    times: text(spec.times),
    lasts: text(spec.lasts),
    percent: text(spec.probability && Math.round(spec.probability * 10_000) / 100),
  };
}

/**
 * The fault that the form specifies.
 * @param before the fault that is edited: what the form has no field for stays
 */
function specOf(choice: FaultChoice, before: FaultSpec = {}): FaultSpec {
  const { effect, latency, operation, lasts } = choice;
  const number = (text: string) => (text === '' ? undefined : Number(text));
  const part = effects[effect][1];
  const values = {
    reply: { ...before.reply, status: Number(choice.status), retryAfter: number(choice.retryAfter) },
    latency: latency.startsWith('{') ? JSON.parse(latency) : latency,
    drop: effect,
    damage: effect,
  };
  return {
    ...before,
    [effects[choiceOf(before).effect][1]]: undefined,
    [part]: values[part],
    operationId: isOperationId(operation) ? operation : undefined,
    path: choice.path || undefined,
    tenant: choice.tenant || undefined,
    key: choice.key || undefined,
    times: number(choice.times),
    // Milliseconds are a number, other durations have a unit.
    lasts: /^\d+$/.test(lasts) ? Number(lasts) : lasts || undefined,
    probability: choice.percent === '' ? undefined : Number(choice.percent) / 100,
  };
}

interface FaultFormProps {
  /** The fault that is edited, or what a new one is about. */
  readonly initial: FaultSpec;
  readonly verb: string;
  readonly act: (spec: FaultSpec) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The form for a fault: what happens, and to which requests. */
export function FaultForm({ initial, verb, act, onClose }: FaultFormProps) {
  const before = choiceOf(initial);
  const [effect, setEffect] = useState<string>(before.effect);
  const [status, setStatus] = useState(before.status);
  const { data: tenants = [] } = useTenants();
  const field = (label: string, name: keyof FaultChoice, placeholder = '') => ({
    label,
    name,
    placeholder,
    defaultValue: before[name],
    autoComplete: 'off',
  });
  const wait = defaultRetryAfter(Number(status));
  const usual = wait === undefined ? 'none' : `${wait}, the default for ${status}`;
  const send = async (values: Readonly<Record<string, string>>) => {
    await act(specOf({ ...before, ...values }, initial));
    onClose();
  };
  return (
    <Form verb={verb} act={send} onCancel={onClose}>
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
