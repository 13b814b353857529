import type { ReactNode } from 'react';
import { operations, type Provenance } from '../../../spec/operations.ts';
import { ScopeList } from '../keys/key-form.tsx';
import { hrefWith } from '../navigation/route.ts';
import { Fact, InlineCode, Method, ProvenanceBadge } from '../parts/text.tsx';
import { type ContractOperation, jsonOf, type Schema } from './contract.ts';
import { TryIt } from './try-it.tsx';

const parts = ['method', 'path', 'scopes', 'body'] as const;
const words = new Intl.ListFormat('en-GB');

/** One operation: the provenance of its parts, its request, its replies, and a form to try it. */
export function OperationSection({ operation }: { readonly operation: ContractOperation }) {
  const { operationId, method, path, parameters, requestBody, responses, 'x-scopes': scopes } = operation;
  const { provenance } = operations[operationId];
  const body = jsonOf(requestBody).schema;
  return (
    <article className="stack" aria-labelledby="operation">
      <div>
        <p className="crumbs">
          <a href={hrefWith({ operation: null })}>API reference</a> › {operationId}
        </p>
        <h1 id="operation">{operation.summary}</h1>
      </div>
      <p className="row">
        <Method method={method} /> <code>{path}</code>
        <span className="quiet">needs</span> <ScopeList of={scopes} none="any key" />
      </p>
      <p className="crumbs provenances">
        {[...Map.groupBy(parts, (part) => provenance[part])].map(([from, some]) => (
          <span key={from}>
            <ProvenanceBadge provenance={from} /> {words.format(some)}{' '}
          </span>
        ))}
      </p>
      <Prose text={operation.description ?? ''} />
      <TryIt operation={operation} />
      {parameters.length > 0 && (
        <>
          <h2>Parameters</h2>
          <dl className="schema">
            {parameters.map(({ name, in: place, description, schema }) => (
              <Fact key={name} name={<Named name={name} more={`in ${place}`} />}>
                <SchemaTree
                  schema={{ ...schema, description: description ?? schema?.description ?? '' }}
                  of="documented"
                />
              </Fact>
            ))}
          </dl>
        </>
      )}
      {body !== undefined && (
        <div>
          <h2>Request body</h2>
          <Prose text={body.description ?? ''} />
          <Properties schema={body} of={provenance.body} />
        </div>
      )}
      <h2>Replies</h2>
      {Object.entries(responses).map(([status, reply]) => {
        const { schema } = jsonOf(reply);
        const isSuccess = status.startsWith('2');
        const from = provenance.statuses[Number(status)] ?? 'assumed';
        return (
          <details key={status} open={isSuccess}>
            <summary>
              <strong>{status}</strong> <ProvenanceBadge provenance={from} />{' '}
              <InlineCode text={(isSuccess && schema?.description) || (reply.description ?? '')} />
            </summary>
            {schema && <Properties schema={schema} of={from} />}
          </details>
        );
      })}
    </article>
  );
}

/** Renders Markdown as far as the contract uses it: paragraphs, code and emphasis. */
export const Prose = ({ text }: { readonly text: string }) =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => (
      <p key={paragraph}>
        <InlineCode text={paragraph} />
      </p>
    ));

const Named = ({ name, more }: { readonly name: string; readonly more: ReactNode }) => (
  <>
    <code>{name}</code> <span className="quiet">{more}</span>
  </>
);

/** A schema, and the provenance of what it is a part of: only another one is shown. */
type SchemaProps = { schema: Schema; of: Provenance };

/** A schema as nested lists: type and constraints, the description below them, then each property. */
function SchemaTree({ schema, of }: SchemaProps) {
  const provenance = schema['x-provenance'] ?? schema.items?.['x-provenance'] ?? of;
  return (
    <>
      <span className="quiet">{typeOf(schema)}</span> {provenance !== of && <ProvenanceBadge provenance={provenance} />}
      <Prose text={schema.description ?? ''} />
      <Properties schema={schema} of={provenance} />
    </>
  );
}

/** The properties of an object, or of each in a list. */
function Properties({ schema, of }: SchemaProps) {
  const { properties, required } = schema.items ?? schema;
  if (properties === undefined) return null;
  return (
    <dl className="schema">
      {Object.entries(properties).map(([name, property]) => (
        <Fact
          key={name}
          name={<Named name={name} more={required?.includes(name) && <span className="needed">required</span>} />}
        >
          <SchemaTree schema={property} of={of} />
        </Fact>
      ))}
    </dl>
  );
}

function typeOf(schema: Schema): string {
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  const constraints = [
    [schema.type ?? 'any'].flat().join(' or '),
    schema.format,
    schema.pattern && `matching ${schema.pattern}`,
    schema.minLength && `at least ${schema.minLength} character`,
    schema.const !== undefined && `always ${JSON.stringify(schema.const)}`,
    schema.enum && `one of ${schema.enum.join(', ')}`,
    schema.additionalProperties === false && 'no other fields',
  ];
  return constraints.filter(Boolean).join(', ');
}
