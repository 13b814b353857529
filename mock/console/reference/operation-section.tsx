import { operations } from '../../../spec/operations.ts';
import { InlineCode, Method, ProvenanceBadge } from '../parts/text.tsx';
import type { ContractOperation } from './contract.ts';
import { SchemaTree } from './schema-tree.tsx';
import { TryIt } from './try-it.tsx';

/** One operation: the provenance of its parts, its request, its replies, and a form to try it. */
export function OperationSection({ operation }: { readonly operation: ContractOperation }) {
  const { operationId, method, path, parameters, requestBody, responses, 'x-scopes': scopes } = operation;
  const { provenance } = operations[operationId];
  const body = requestBody?.content['application/json']?.schema;
  return (
    <article className="stack" aria-labelledby="operation">
      <p className="crumbs">{operationId}</p>
      <h2 id="operation">{operation.summary}</h2>
      <p>
        <Method method={method} /> <code>{path}</code>
      </p>
      <p className="row crumbs provenances">
        {(['method', 'path', 'scopes', 'body'] as const).map((part) => (
          <span key={part}>
            {part} <ProvenanceBadge provenance={provenance[part]} />
          </span>
        ))}
      </p>
      <Prose text={operation.description ?? ''} />
      <p>
        {scopes.length === 0 ? (
          'Any key may call it, even one without scopes.'
        ) : (
          <InlineCode text={`The key needs ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`} />
        )}
      </p>
      <TryIt operation={operation} />
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <dl className="schema">
            {parameters.map(({ name, in: place, description, schema }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code> <span className="quiet">in {place}</span>
                </dt>
                <dd>
                  <InlineCode text={description ?? ''} /> {schema && <SchemaTree schema={schema} />}
                </dd>
              </div>
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
      {Object.entries(responses).map(([status, { description, content }]) => {
        const schema = content?.['application/json']?.schema;
        return (
          <details key={status} open={status.startsWith('2')}>
            <summary>
              <strong>{status}</strong> <InlineCode text={description} />{' '}
              <ProvenanceBadge provenance={provenance.statuses[Number(status)] ?? 'assumed'} />
            </summary>
            {schema && (
              <div>
                <SchemaTree schema={schema} />
              </div>
            )}
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
