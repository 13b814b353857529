import { InlineCode, ProvenanceBadge } from '../parts/text.tsx';
import { type Contract, resolved, type Schema } from './contract.ts';

interface SchemaTreeProps {
  readonly contract: Contract;
  readonly schema: Schema;
  /** The nesting depth. Deep parts start folded. */
  readonly depth?: number;
}

/** A schema as nested lists: name, type, constraints and description of each property. */
export function SchemaTree({ contract, schema: reference, depth = 0 }: SchemaTreeProps) {
  const schema = merged(contract, reference);
  const inner = schema.items === undefined ? schema : merged(contract, schema.items);
  const properties = Object.entries(inner.properties ?? {});
  const provenance = schema['x-provenance'] ?? inner['x-provenance'];
  const tree = (
    <dl className="schema">
      {properties.map(([name, property]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {inner.required?.includes(name) && <span className="needed"> required</span>}
          </dt>
          <dd>
            <SchemaTree contract={contract} schema={property} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      <span className="schema-line">
        <span className="quiet">{typeOf(contract, schema)}</span> <InlineCode text={schema.description ?? ''} />{' '}
        {provenance && <ProvenanceBadge provenance={provenance} />}
      </span>
      {properties.length > 0 &&
        (depth < 2 ? (
          tree
        ) : (
          <details>
            <summary>{properties.length} fields</summary>
            {tree}
          </details>
        ))}
    </>
  );
}

/** Follows references and merges the parts of an `allOf`. */
function merged(contract: Contract, reference: Schema): Schema {
  const schema = resolved(contract, reference);
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) => merged(contract, part));
  return {
    ...schema,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
    required: [...parts.flatMap(({ required = [] }) => required), ...(schema.required ?? [])],
  };
}

function typeOf(contract: Contract, schema: Schema): string {
  if (schema.items !== undefined) return `array of ${typeOf(contract, merged(contract, schema.items))}`;
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' or ') ?? 'any');
  const constraints = [
    schema.format,
    schema.pattern && `matching ${schema.pattern}`,
    schema.minLength && `at least ${schema.minLength} character`,
    schema.const !== undefined && `always ${JSON.stringify(schema.const)}`,
    schema.enum && `one of ${schema.enum.join(', ')}`,
    schema.additionalProperties === false && 'no other fields',
  ].filter(Boolean);
  return [type, ...constraints].join(', ');
}
