import { type OperationId, operations } from '../../../spec/operations.ts';
import { InlineCode, Method, ProvenanceBadge } from '../parts/text.tsx';
import { type Contract, exampleReply, operationOf, resolved } from './contract.ts';
import { SchemaTree } from './schema-tree.tsx';
import { TryIt } from './try-it.tsx';

interface OperationSectionProps {
  readonly contract: Contract;
  readonly id: OperationId;
}

/** One operation: the provenance of its parts, its request, its replies, and a form to try it. */
export function OperationSection({ contract, id }: OperationSectionProps) {
  const { provenance } = operations[id];
  const operation = operationOf(contract, id);
  if (operation === undefined) return <p className="empty">The profile of this mock leaves out {id}.</p>;
  const { method, path, scopes } = operation;
  const body = operation.requestBody?.content['application/json'];
  return (
    <article className="stack" aria-labelledby="operation">
      <p className="crumbs">{id}</p>
      <h2 id="operation">{operation.summary}</h2>
      <p className="whole-line">
        <Method method={method} /> <code>{path}</code>
      </p>
      <p className="row provenances">
        {(['method', 'path', 'scopes', 'body'] as const).map((part) => (
          <span key={part}>
            {part} <ProvenanceBadge provenance={provenance[part]} />
          </span>
        ))}
      </p>
      <Prose text={operation.description ?? ''} />
      <p>
        {scopes.length === 0 ? 'Any key may call it, even one without scopes.' : 'The key needs '}
        {scopes.map((scope, i) => (
          <span key={scope}>
            {i > 0 && ' and '}
            <code>{scope}</code>
          </span>
        ))}
        {scopes.length > 0 && '.'}
      </p>
      <TryIt
        id={id}
        route={operation}
        example={body?.examples?.typical?.value}
        reply={exampleReply(contract, operation)}
      />
      {operation.parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <dl className="schema">
            {operation.parameters.map(({ name, in: place, description, schema }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code> <span className="quiet">in {place}</span>
                </dt>
                <dd>
                  <InlineCode text={description ?? ''} /> {schema && <SchemaTree contract={contract} schema={schema} />}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {body?.schema && (
        <>
          <h3>Request body</h3>
          <SchemaTree contract={contract} schema={body.schema} />
        </>
      )}
      <h3>Replies</h3>
      {Object.entries(operation.responses).map(([status, reference]) => {
        const response = resolved(contract, reference);
        const schema = response.content?.['application/json']?.schema;
        return (
          <details key={status} open={status.startsWith('2')}>
            <summary>
              <strong>{status}</strong> <InlineCode text={response.description} />{' '}
              <ProvenanceBadge provenance={provenance.statuses[Number(status)] ?? 'assumed'} />
            </summary>
            {schema && <SchemaTree contract={contract} schema={schema} />}
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
