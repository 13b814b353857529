import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type OperationId, operations } from '../../../spec/operations.ts';
import { prettyJson } from '../../../spec/text/json-or-undefined.ts';
import { control } from '../control/control.ts';
import type { Label } from '../control/control-types.ts';
import { knownKeys, type TargetTenant } from '../control/known-keys.ts';
import { InputField } from '../fields/input-field.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { href } from '../navigation/route.ts';
import { TenantSelect } from '../navigation/tenant-select.tsx';
import { useTenant } from '../navigation/use-tenant.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { CodeTabs } from './code-tabs.tsx';
import type { Parameter } from './contract.ts';
import { pathValues } from './prefill.ts';
import { withKnownIds } from './with-known-ids.ts';

interface TryItProps {
  readonly id: OperationId;
  /** The route on this mock, which follows its profile. */
  readonly route: {
    readonly method: string;
    readonly path: string;
    readonly scopes: readonly string[];
    readonly parameters: readonly Parameter[];
  };
  /** The example of the request body in the contract. */
  readonly example: unknown;
  /** The example of a successful reply in the contract. */
  readonly reply: { readonly status: number; readonly example: unknown } | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** Sends a real request to this mock. */
export function TryIt(about: TryItProps) {
  const [tenant, choose] = useTenant();
  const target = useQuery({ queryKey: ['target'], queryFn: control.target });
  const data = useQuery({
    queryKey: ['tenant', tenant],
    queryFn: () => control.tenant(tenant ?? ''),
    enabled: tenant !== null,
  });
  return (
    <section className="try" aria-labelledby="try">
      <h3 id="try">Try it</h3>
      {tenant !== null && <TenantSelect value={tenant} onChange={choose} />}
      {/* The form waits for both: without them it would send empty ids and no key. */}
      <Loaded query={target}>
        {({ tenants }) => (
          <Loaded query={data}>
            {({ name, records }) => (
              <TryForm
                key={name}
                {...about}
                tenant={tenants.find((known) => known.name === name)}
                labels={records.labels}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  );
}

interface TryFormProps extends TryItProps {
  /** The tenant in the target file. */
  readonly tenant: TargetTenant | undefined;
  readonly labels: readonly Label[];
}

function TryForm({ id, route: { method, path, scopes, parameters }, example, reply, tenant, labels }: TryFormProps) {
  const { pathParameters, hasBody } = operations[id];
  const keys = knownKeys(tenant);
  const allowed = keys.find((key) => scopes.every((scope) => key.scopes?.includes(scope))) ?? keys[0];
  const [keyName, setKeyName] = useState<string | null>(null);
  const [pasted, setPasted] = useState('');
  const [edited, setEdited] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => (hasBody ? JSON.stringify(example ?? {}, null, 2) : ''));
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const chosen = keyName ?? allowed?.name ?? '';
  const secret = keys.find(({ name }) => name === chosen)?.secret ?? pasted;
  const pastedIsSent = chosen === '' && pasted !== '';
  const values = { ...pathValues(id, pathParameters, tenant, labels), ...edited };
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

  const send = async () => {
    setProblem(null);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...(secret !== '' && { 'x-api-key': secret }),
          ...(hasBody && { 'content-type': 'application/json' }),
        },
        ...(hasBody && { body }),
      });
      setAnswer({ status: response.status, headers: [...response.headers], text: await response.text() });
    } catch {
      setAnswer(null);
      setProblem('No reply arrived: the mock was stopped, or a fault closed the connection.');
    }
  };
  return (
    <div className="pair">
      <div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <div className="fields">
            <SelectField label="Key" value={chosen} onText={setKeyName}>
              {keys.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
              <option value="">paste a key, or send none</option>
            </SelectField>
            {chosen === '' && (
              <InputField
                label="Secret"
                type="password"
                autoComplete="off"
                placeholder="leave empty to send no key"
                value={pasted}
                onText={setPasted}
              />
            )}
            {pathParameters.map((name) => (
              <InputField
                key={name}
                label={name}
                className="grow"
                value={values[name] ?? ''}
                spellCheck={false}
                onText={(text) => setEdited({ ...edited, [name]: text })}
              />
            ))}
          </div>
          {hasBody && (
            <label className="field">
              Body
              <textarea rows={4} spellCheck={false} value={body} onChange={(event) => setBody(event.target.value)} />
            </label>
          )}
          <div className="row">
            <button type="submit" className="primary">
              Send
            </button>
            <code className="sending">
              {method} {url}
            </code>
          </div>
        </form>
        <Problem text={problem} />
        <div aria-live="polite">{answer !== null && <AnswerView answer={answer} />}</div>
      </div>
      <div>
        <CodeTabs
          request={{
            method,
            url: location.origin + url,
            // A pasted secret is not shown.
            secret: pastedIsSent ? null : secret,
            body: hasBody ? body : null,
          }}
        />
        {answer === null && reply?.example !== undefined && (
          <div className="example">
            <p>
              <StatusBadge status={reply.status} broken={null} /> <span className="quiet">example</span>
            </p>
            <pre>{JSON.stringify(withKnownIds(reply.example, parameters, values), null, 2)}</pre>
          </div>
        )}
      </div>
    </div>
  );
}

function AnswerView({ answer: { status, headers, text } }: { readonly answer: Answer }) {
  const wait = headers.find(([name]) => name === 'retry-after')?.[1];
  return (
    <div className="answer">
      <p>
        <StatusBadge status={status} broken={null} /> {wait !== undefined && `Retry-After: ${wait} `}
        <a href={href('requests')}>Show it in Requests</a>
      </p>
      <pre>{text === '' ? '(no body)' : prettyJson(text)}</pre>
    </div>
  );
}
