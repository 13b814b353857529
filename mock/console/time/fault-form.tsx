import { useState } from 'react';
import { operationIds } from '../../../spec/operations.ts';
import { prettyJson } from '../../../spec/text/pretty-json.ts';
import { defaultRetryAfter, sampleOf, statusReply } from '../../faults/status-reply.ts';
import type { FaultSpec } from '../control/control-types.ts';
import { useTenants } from '../control/reads.ts';
import { Form, Input, Select } from '../parts/form.tsx';
import { describeEffect, describeTarget } from './describe-fault.ts';
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
  const field = (label: string, name: keyof FaultChoice) => ({
    label,
    value: choice[name],
    autoComplete: 'off',
    onText: (text: string) => setChoice({ ...choice, [name]: text }),
  });
  const defaultWait = defaultRetryAfter(Number(choice.status));
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
        <div className="fields">
          <Input type="number" min="200" max="599" required {...field('Status', 'status')} />
          <Input
            type="number"
            min="0"
            placeholder={defaultWait === undefined ? 'none' : `${defaultWait}, the default for ${choice.status}`}
            {...field('Retry-After, in seconds', 'retryAfter')}
          />
        </div>
      )}
      {choice.effect === 'latency' && <Input required placeholder="200ms, 2s" {...field('How long', 'latency')} />}
      <fieldset>
        <legend>To which requests</legend>
        <div className="fields">
          <Select {...field('Operation', 'operation')} options={[['', 'all'], ...operationIds]} />
          <Input placeholder="all; uploads: /storage/*" {...field('Path (* matches any text)', 'path')} />
        </div>
        <div className="fields">
          <Select {...field('Tenant', 'tenant')} options={[['', 'all'], ...tenants.map(({ name }) => name)]} />
          <Input placeholder="all" {...field('Key, by its name', 'key')} />
        </div>
        <div className="fields">
          <Input type="number" min="1" step="1" placeholder="all of them" {...field('How many', 'times')} />
          <Input placeholder="until removed" {...field('For how long', 'lasts')} />
          <Input
            type="number"
            min="0"
            max="100"
            step="any"
            placeholder="100"
            {...field('Percent of them', 'percent')}
          />
        </div>
      </fieldset>
      <Preview choice={choice} initial={initial} />
    </Form>
  );
}

/** What a fault will do, with the reply that it will send. */
function Preview({ choice, initial }: { readonly choice: FaultChoice; readonly initial: FaultSpec }) {
  // The latency may be half typed.
  const spec = specOf({ ...choice, latency: '' }, initial);
  const words = choice.effect === 'latency' ? `delays the reply by ${choice.latency}` : describeEffect(spec);
  return (
    <section aria-labelledby="sent">
      <h3 id="sent">What will be sent</h3>
      <p>
        To {describeTarget(spec)}: the mock {words}.
      </p>
      {spec.reply !== undefined && isStatus(spec.reply.status) && (
        <pre className="code-text">{asText(spec.reply, spec.operationId)}</pre>
      )}
    </section>
  );
}

const isStatus = (status: number) => Number.isInteger(status) && status >= 200 && status <= 599;

function asText(reply: NonNullable<FaultSpec['reply']>, id: FaultSpec['operationId']): string {
  const { status, headers, body } = statusReply({ ...reply, body: reply.body ?? sampleOf(id, reply.status) });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines, '', body === null ? '' : prettyJson(String(body))].join('\n').trimEnd();
}
