import { InlineCode, ProvenanceBadge } from '../parts/text.tsx';
import type { Schema } from './contract.ts';

/** A schema as nested lists: type, constraints and description, then each property. */
export function SchemaTree({ schema }: { readonly schema: Schema }) {
  const { properties = {}, required, 'x-provenance': innerProvenance } = schema.items ?? schema;
  const provenance = schema['x-provenance'] ?? innerProvenance;
  const names = Object.keys(properties);
  return (
    <>
      <span className="quiet">{typeOf(schema)}</span> <InlineCode text={schema.description ?? ''} />{' '}
      {provenance && <ProvenanceBadge provenance={provenance} />}
      {names.length > 0 && (
        <dl className="schema">
          {names.map((name) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
                {required?.includes(name) && <span className="needed"> required</span>}
              </dt>
              <dd>
                <SchemaTree schema={properties[name] ?? {}} />
              </dd>
            </div>
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
