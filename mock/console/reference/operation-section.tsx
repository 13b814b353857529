import { type OperationId, operations, type Provenance } from '../../../spec/operations.ts';
import { InlineCode } from '../parts/inline-code.tsx';
import { ProvenanceBadge } from '../parts/provenance-badge.tsx';
import { type Contract, exampleReply, operationOf, resolved } from './contract.ts';
import { Prose } from './prose.tsx';
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
    <article aria-labelledby="operation">
      <p className="crumbs">{id}</p>
      <h2 id="operation">{operation.summary}</h2>
      <p className="address-line">
        <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </p>
      <p className="provenances">
        <PartProvenance part="method" provenance={provenance.method} />
        <PartProvenance part="path" provenance={provenance.path} />
        <PartProvenance part="scopes" provenance={provenance.scopes} />
        <PartProvenance part="body" provenance={provenance.body} />
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
        // Another operation gets a new form.
        key={id}
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

function PartProvenance({ part, provenance }: { readonly part: string; readonly provenance: Provenance }) {
  return (
    <span>
      {part} <ProvenanceBadge provenance={provenance} />
    </span>
  );
}
