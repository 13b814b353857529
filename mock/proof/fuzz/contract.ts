import document from '../../../spec/generated/openapi.json' with { type: 'json' };

/** As much of JSON Schema as the requests of the contract use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** The facts that a client needs to call an operation, read only from the document. */
export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly schema: Schema }[];
  readonly body: Schema | null;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Schema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Follows a `$ref` within the document. */
export function resolved<Value extends { readonly $ref?: string }>(value: Value): Value {
  if (value.$ref === undefined) return value;
  const steps = value.$ref.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
  if (found === undefined) throw new Error(`openapi.json has nothing at ${value.$ref}`);
  return resolved(found as Value);
}

/** Every operation of `spec/openapi.yaml`, from its generated JSON form. */
export const contract: readonly ContractOperation[] = Object.entries(document.paths).flatMap(([path, item]) => {
  const { parameters: shared = [], ...methods } = item as unknown as Record<string, Described> & {
    parameters?: readonly Parameter[];
  };
  return Object.entries(methods as Record<string, Described>).map(([method, described]): ContractOperation => {
    const bodySchema = described.requestBody?.content['application/json']?.schema;
    const parameters = [...shared, ...(described.parameters ?? [])].map((parameter) => resolved(parameter));
    return {
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name = '', schema = {} }) => ({ name, schema: resolved(schema) })),
      body: bodySchema === undefined ? null : resolved(bodySchema),
    };
  });
});
