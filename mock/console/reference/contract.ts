import type { OperationId, Provenance } from '../../../spec/operations.ts';

/** JSON Schema as far as the contract uses it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly 'x-provenance'?: Provenance;
}

interface Examples {
  readonly examples?: { readonly typical?: { readonly value: unknown } };
}

interface Body {
  readonly description?: string;
  readonly content?: { readonly 'application/json'?: Examples & { readonly schema?: Schema } };
}

/** An operation of OpenAPI 3.1 with its place. */
export interface ContractOperation {
  readonly operationId: OperationId;
  /** In capital letters. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly (Schema &
    Examples & { readonly name: string; readonly in: string; readonly schema?: Schema })[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-scopes': readonly string[];
}

/** The OpenAPI document that the mock serves, with the operations of its profile. */
export type Contract = ReturnType<typeof contractOf>;

/** The schema of a JSON body and an example of it. */
export function jsonOf(body: Body | undefined) {
  const json = body?.content?.['application/json'];
  return { schema: json?.schema, example: json?.examples?.typical?.value };
}

type Json = Readonly<Record<string, unknown>>;

/** Follows the references of an OpenAPI document, and merges the parts of each `allOf`. */
function resolved(value: unknown, document: Json): unknown {
  return JSON.parse(JSON.stringify(value), (_, part) => {
    const { $ref, allOf, ...rest } = Object(part);
    if (typeof $ref === 'string') {
      const names = $ref.slice(2).split('/');
      return resolved(
        names.reduce<unknown>((within, name) => Object(within)[name], document),
        document,
      );
    }
    if (!Array.isArray(allOf)) return part;
    const parts: Schema[] = [...allOf, rest];
    const properties = Object.assign({}, ...parts.map((one) => one.properties));
    return { ...rest, type: 'object', properties, required: parts.flatMap(({ required = [] }) => required) };
  });
}

/** Reads an OpenAPI document. */
export function contractOf(document: Json) {
  const { info, paths } = resolved(document, document) as {
    readonly info: Readonly<Record<'title' | 'version' | 'summary' | 'description', string>>;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Partial<ContractOperation>>>>>;
  };
  const operations = Object.entries(paths).flatMap(([path, { parameters: shared, ...methods }]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const parameters = [shared ?? [], operation.parameters ?? []].flat();
      return { ...operation, method: method.toUpperCase(), path, parameters } as ContractOperation;
    }),
  );
  return { info, operations };
}
