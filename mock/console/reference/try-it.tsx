import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { operations } from '../../../spec/operations.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import { control, type Exchange } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { knownKeys, namesOf, type TargetTenant, useRead, useTenantData } from '../control/reads.ts';
import { shared } from '../control/shared.ts';
import { href, hrefWith } from '../navigation/route.ts';
import { useTenant } from '../navigation/tenant.ts';
import { Code } from '../parts/code.tsx';
import { Form, Input, Select } from '../parts/form.tsx';
import { TenantSelect } from '../parts/tenant-select.tsx';
import { Loaded, Section, StatusBadge } from '../parts/text.tsx';
import { Message, Refusal } from '../requests/message.tsx';
import { keyVariable } from '../samples/code-samples.ts';
import { CodeTabs } from '../samples/code-tabs.tsx';
import { type ContractOperation, contractOf, jsonOf } from './contract.ts';

interface Answer {
  /** Null if none arrived as a whole. */
  readonly response: Response | null;
  readonly text: string;
  /** The type that an upload URL was asked for. */
  readonly contentType: string | undefined;
  readonly milliseconds: number;
  /** What the journal says about it; undefined until it has arrived. */
  readonly exchange?: Exchange | undefined;
}

/** What is uploaded: its type goes into the request for a URL, its name into the registration. */
const upload = shared<File | null>(null);

/** A body with what is known of the file. */
const withFile = (body: unknown) => {
  const { type, name }: Partial<File> = upload.get() ?? {};
  const known: Readonly<Record<string, string | undefined>> = {
    contentType: type === '' ? 'application/octet-stream' : type,
    name,
  };
  return JSON.stringify(body, (property, value) => known[property] ?? value);
};

interface SenderProps extends Pick<ComponentProps<typeof Form>, 'verb' | 'children'> {
  /** The request that the values of the form make. */
  readonly request: () => RequestInit & { url: string; method: string };
  /** What stands below it, before and after an answer. */
  readonly next?: (answer: Answer | null) => ReactNode;
}

/** A form that sends a request, and its answer. The journal adds a moment later why it was refused. */
function Sender({ request, next, ...form }: SenderProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const send = async () => {
    const { url, ...init } = request();
    const after = journalFeed.last();
    const sentAt = performance.now();
    setAnswer(null);
    const reply = await fetch(url, init).catch(() => null);
    const text = await reply?.text().catch(() => undefined);
    const response = text === undefined ? null : reply;
    const { contentType } = stringsIn(String(init.body));
    const made = { response, text: text ?? '', contentType, milliseconds: performance.now() - sentAt };
    if (response !== null) setAnswer(made);
    // Only the journal knows what kept a reply from arriving.
    const exchange = await journalFeed.next(after, init.method, new URL(url, location.origin).pathname);
    if (response === null && exchange === undefined) throw new Error('No reply arrived: the mock was stopped.');
    setAnswer({ ...made, exchange });
  };
  return (
    <>
      <Form {...form} act={send} />
      <div aria-live="polite">{answer && <AnswerView answer={answer} />}</div>
      {next?.(answer)}
    </>
  );
}

/** Sends a real request to this mock. */
export function TryIt({ operation }: { readonly operation: ContractOperation }) {
  const tenant = useTenant();
  const read = () => Promise.all([control.target(), control.contract(tenant ?? '').then(contractOf)]);
  // The form waits for both: without them it would send empty ids and no key.
  const known = useRead(['try it', tenant, operation.operationId], read, { when: tenant !== null });
  return (
    <Section title="Try it" className="card" beside={<TenantSelect />}>
      <Loaded query={known}>
        {([{ tenants }, { operations }]) => (
          <TryForm
            key={tenant}
            operation={operations.find(({ operationId }) => operationId === operation.operationId) ?? operation}
            tenant={tenants.find(({ name }) => name === tenant)}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** @param tenant as the target file has it */
function TryForm({ operation, tenant }: { operation: ContractOperation; tenant: TargetTenant | undefined }) {
  const { operationId: id, method, path, parameters, requestBody, responses, 'x-scopes': scopes } = operation;
  const { pathParameters, hasBody } = operations[id];
  const [success = '200'] = Object.keys(responses).filter((status) => status.startsWith('2'));
  const { example } = jsonOf(responses[success]);
  const keys = knownKeys(tenant);
  const allowed = keys.find((key) => scopes.every((scope) => key.scopes?.includes(scope))) ?? keys[0];
  const [chosen, setChosen] = useState(allowed?.name ?? '');
  const [pasted, setPasted] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(parameters.map(({ name, examples }) => [name, String(examples?.typical?.value ?? '')])),
  );
  const [body, setBody] = useState(hasBody ? withFile(jsonOf(requestBody).example) : null);
  const { data } = useTenantData(tenant?.name ?? null);
  const names = new Map(data && namesOf(data));

  const secret = keys.find(({ name }) => name === chosen)?.secret ?? pasted;
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const headersWith = (key: string) =>
    Object.entries({ ...(secret && { 'x-api-key': key }), ...(hasBody && { 'content-type': 'application/json' }) });
  // A pasted secret is not shown.
  const shown = headersWith(chosen === '' ? keyVariable : secret);
  const sample = { name: id, method, url: location.origin + url, headers: shown, body, status: Number(success) };
  const isUpload = path.endsWith('/upload-url');
  return (
    <Sender
      verb="Send"
      request={() => ({ url, method, headers: headersWith(secret), body })}
      next={(answer) => (
        <>
          {answer === null && example !== undefined && (
            <div className="stack example">
              <Code text={JSON.stringify(example)} subject="the example" head={<h3>What a reply looks like</h3>} />
            </div>
          )}
          <h3>The request as a command or a test</h3>
          <CodeTabs request={sample} />
          {isUpload && <Upload asked={answer} />}
        </>
      )}
    >
      {isUpload && <h3>1. Ask for an upload URL</h3>}
      {isUpload && (
        <Input
          label="File to upload, whose type the URL is for"
          type="file"
          onInput={({ currentTarget }) => {
            upload.set(currentTarget.files?.[0] ?? null);
            setBody(withFile(jsonOf(requestBody).example));
          }}
        />
      )}
      <div className="sides end">
        <Select
          label="Key"
          value={chosen}
          onText={setChosen}
          options={[...keys.map(({ name }) => name), ['', 'paste a key, or send none']]}
        />
        {chosen === '' && (
          <Input
            label="Secret"
            type="password"
            autoComplete="off"
            placeholder="leave empty to send no key"
            value={pasted}
            onText={setPasted}
          />
        )}
        {pathParameters.map((name) => {
          const known = names.get(values[name] ?? '');
          return (
            <Input
              key={name}
              label={`Id of the ${resourceOf(name, operations[id].path)}${known ? `: ${known}` : ''}`}
              value={values[name] ?? ''}
              spellCheck={false}
              onText={(text) => setValues({ ...values, [name]: text })}
            />
          );
        })}
      </div>
      {body !== null && (
        <label className="field">
          Body
          <textarea rows={2} spellCheck={false} value={body} onChange={(event) => setBody(event.currentTarget.value)} />
        </label>
      )}
    </Sender>
  );
}

/** The two steps after an upload URL was asked for. */
function Upload({ asked }: { readonly asked: Answer | null }) {
  const file = upload.use();
  const { uploadUrl: url } = stringsIn(asked?.text ?? '');
  return (
    <section className="on-screen stack" aria-label="Upload">
      <h3 className={url ? undefined : 'quiet'}>2. Upload it to this URL</h3>
      {url && !file && 'Choose a file above first.'}
      {url && file && (
        <Sender
          verb="PUT the file"
          request={() => ({ url, method: 'PUT', body: file.slice(0, file.size, asked?.contentType) })}
        >
          {file.name}, sent as {asked?.contentType}
        </Sender>
      )}
      <h3 className={url ? undefined : 'quiet'}>
        3.{' '}
        {url ? (
          <a href={hrefWith({ operation: 'registerSiteFile' })}>Register it at its site</a>
        ) : (
          'Register it at its site'
        )}
      </h3>
    </section>
  );
}

/** What a path parameter is the id of: `site`. */
const resourceOf = (name: string, path: string) => path.split(`/{${name}}`, 1)[0]?.split('/').at(-1);

function AnswerView({ answer: { response, text, milliseconds, exchange } }: { readonly answer: Answer }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={place} className="stack answer">
      <p className="row">
        <StatusBadge {...(response ? { status: response.status } : { status: 0, ...exchange?.reply })} />
        <span>{durationInWords(milliseconds)}</span>
        <a href={href('requests', { id: exchange && String(exchange.id) })}>Show it in Requests</a>
      </p>
      {exchange !== undefined && <Refusal exchange={exchange} />}
      {response && (
        <Message title="Reply" headers={Object.fromEntries(response.headers)} body={text === '' ? null : { text }} />
      )}
    </div>
  );
}

/** The properties of a JSON text, of which those that are asked for are strings. */
const stringsIn = (text: string) => Object(jsonOrUndefined(text)) as Readonly<Record<string, string | undefined>>;
