import type { ReactNode } from 'react';
import { operations, type Provenance } from '../../../spec/operations.ts';
import { ScopeList } from '../keys/key-form.tsx';
import { hrefWith } from '../navigation/route.ts';
import { Facts, InlineCode, Method, ProvenanceBadge } from '../parts/text.tsx';
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
          <Facts
            className="schema"
            of={Object.fromEntries(
              parameters.map(({ name, in: place, description, schema }) => {
                const shown = { ...schema, description: description ?? schema?.description ?? '' };
                return [name, <SchemaTree key={name} schema={shown} of="documented" more={`in ${place}, `} />];
              }),
            )}
          />
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

/** A schema, and the provenance of what it is a part of: only another one is shown. */
type SchemaProps = { schema: Schema; of: Provenance; more?: ReactNode };

/** A schema as nested lists: what is said of it, type and constraints, the description below them, then each property. */
function SchemaTree({ schema, of, more }: SchemaProps) {
  const provenance = schema['x-provenance'] ?? schema.items?.['x-provenance'] ?? of;
  return (
    <>
      <span className="quiet">
        {more}
        {typeOf(schema)}
      </span>{' '}
      {provenance !== of && <ProvenanceBadge provenance={provenance} />}
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
    <Facts
      className="schema"
      of={Object.fromEntries(
        Object.entries(properties).map(([name, property]) => {
          const more = required?.includes(name) && <span className="needed">required </span>;
          return [name, <SchemaTree key={name} schema={property} of={of} more={more} />];
        }),
      )}
    />
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
