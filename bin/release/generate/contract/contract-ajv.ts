import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from './document.ts';

const COMPONENTS = '#/components/schemas/';

/**
 * An Ajv in strict mode that holds every schema component under its name. Add further schemas by `forAjv`, under ids
 * without a slash: Ajv resolves references relative to the id.
 * @param allErrors whether a validator goes on after the first problem
 */
export function contractAjv({ components }: OpenApiDocument, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors, code: { source: true, esm: true } });
  addFormats.default(ajv);
  // The format of ajv-formats also takes "urn:uuid:" in front, which no id of the contract has.
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  for (const [name, schema] of Object.entries(components.schemas)) ajv.addSchema(forAjv(schema), name);
  return ajv;
}

/** A copy of an OpenAPI schema as Ajv takes it in strict mode: references are bare names, extensions are gone. */
export function forAjv(schema: object): object {
  return JSON.parse(JSON.stringify(schema), function revive(this: unknown, key: string, value: unknown) {
    if (key.startsWith('x-')) return undefined;
    return key === '$ref' && typeof value === 'string' ? value.replace(COMPONENTS, '') : value;
  });
}
