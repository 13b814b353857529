import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from './document.ts';

const COMPONENTS = '#/components/schemas/';

/**
 * An Ajv in strict mode with all schema components under their names. Further schemas are added with `forAjv`, under ids
 * without a slash, because Ajv resolves references relative to the id.
 * @param allErrors whether a validator continues after the first problem
 */
export function contractAjv({ components }: OpenApiDocument, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors, code: { source: true, esm: true } });
  addFormats.default(ajv);
  // The format of ajv-formats also accepts "urn:uuid:" at the start, which no id of the contract has.
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  for (const [name, schema] of Object.entries(components.schemas)) ajv.addSchema(forAjv(schema), name);
  return ajv;
}

/** A copy of an OpenAPI schema for Ajv in strict mode: references are bare names, and extensions are removed. */
export function forAjv(schema: object): object {
  return JSON.parse(JSON.stringify(schema), function revive(this: unknown, key: string, value: unknown) {
    if (key.startsWith('x-')) return undefined;
    return key === '$ref' && typeof value === 'string' ? value.replace(COMPONENTS, '') : value;
  });
}
