import type { ReactNode } from 'react';
import { operations } from '../../../spec/operations.ts';
import { Fact, InlineCode, Method, ProvenanceBadge, provenanceMeanings } from '../parts/text.tsx';
import { type ContractOperation, jsonOf, type Schema } from './contract.ts';
import { TryIt } from './try-it.tsx';

const parts = ['method', 'path', 'scopes', 'body'] as const;

/** One operation: the provenance of its parts, its request, its replies, and a form to try it. */
export function OperationSection({ operation }: { readonly operation: ContractOperation }) {
  const { operationId, method, path, parameters, requestBody, responses, 'x-scopes': scopes } = operation;
  const { provenance } = operations[operationId];
  const body = jsonOf(requestBody).schema;
  const needed = scopes.map((scope) => `\`${scope}\``).join(' and ');
  return (
    <article className="stack" aria-labelledby="operation">
      <p className="crumbs">{operationId}</p>
      <h2 id="operation">{operation.summary}</h2>
      <p>
        <Method method={method} /> <code>{path}</code>
      </p>
      <p className="crumbs provenances">
        {[...Map.groupBy(parts, (part) => provenance[part])].map(([from, some], i) => (
          <span key={from} title={provenanceMeanings[from]}>
            {i > 0 && '; '}
            {some.length < parts.length ? some.join(' and ') : 'all of it'} {from}
          </span>
        ))}
      </p>
      <Prose text={operation.description ?? ''} />
      <Prose text={needed === '' ? 'Any key may call it, even one without scopes.' : `The key needs ${needed}.`} />
      <TryIt operation={operation} />
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <dl className="schema">
            {parameters.map(({ name, in: place, description, schema }) => (
              <Fact key={name} name={<Named name={name} more={`in ${place}`} />}>
                <SchemaTree schema={{ ...schema, description: description ?? schema?.description ?? '' }} />
              </Fact>
            ))}
          </dl>
        </>
      )}
      {body !== undefined && (
        <div>
          <h3>Request body</h3>
          <SchemaTree schema={body} />
        </div>
      )}
      <h3>Replies</h3>
      {Object.entries(responses).map(([status, reply]) => {
        const { schema } = jsonOf(reply);
        return (
          <details key={status} open={status.startsWith('2')}>
            <summary>
              <strong>{status}</strong>{' '}
              <ProvenanceBadge provenance={provenance.statuses[Number(status)] ?? 'assumed'} />{' '}
              <InlineCode text={reply.description ?? ''} />
            </summary>
            {schema && <SchemaTree schema={schema} />}
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

/** A schema as nested lists: type and constraints, the description below them, then each property. */
function SchemaTree({ schema }: { readonly schema: Schema }) {
  const { properties = {}, required, 'x-provenance': innerProvenance } = schema.items ?? schema;
  const provenance = schema['x-provenance'] ?? innerProvenance;
  return (
    <>
      <span className="quiet">{typeOf(schema)}</span> {provenance && <ProvenanceBadge provenance={provenance} />}
      <Prose text={schema.description ?? ''} />
      {Object.keys(properties).length > 0 && (
        <dl className="schema">
          {Object.entries(properties).map(([name, property]) => (
            <Fact
              key={name}
              name={<Named name={name} more={required?.includes(name) && <span className="needed">required</span>} />}
            >
              <SchemaTree schema={property} />
            </Fact>
          ))}
        </dl>
      )}
    </>
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
