import { bundleValidators } from './bundle-validators.ts';
import { contractAjv, forAjv } from './contract-ajv.ts';
import { componentName, type OpenApiDocument, placedOperations } from './document.ts';

/** The text of `generated/request-validators.js`: for each operation a validator of its path parameters and one of its body. */
export function requestValidatorsModule(document: OpenApiDocument): Promise<string> {
  const ajv = contractAjv(document, false);
  const exports = new Set<string>();
  const entries: string[] = [];
  for (const { operation, parameters } of placedOperations(document)) {
    const path = `${operation.operationId}Path`;
    const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    ajv.addSchema(forAjv({ type: 'object', required: Object.keys(properties), properties }), path);
    exports.add(path);

    const schema = operation.requestBody?.content['application/json'].schema;
    const body = schema && componentName(schema);
    if (body) exports.add(body);
    entries.push(`${operation.operationId}: { path: ${path}, body: ${body ?? null} }`);
  }
  return bundleValidators(ajv, exports, `export const requestValidators = {\n${entries.join(',\n')}\n};\n`);
}

/** The types of that module. */
export const requestValidatorsTypes = `// Generated from spec/openapi.yaml by \`npm run generate\`. Do not edit.
import type { CompiledValidator } from '../validation-problem.ts';
import type { OperationId } from './operations.ts';

export declare const requestValidators: Readonly<
  Record<OperationId, { readonly path: CompiledValidator; readonly body: CompiledValidator | null }>
>;
`;
