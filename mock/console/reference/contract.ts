import type { OperationId, Provenance } from '../../../spec/operations.ts';

/** The parts of OpenAPI 3.1 and JSON Schema that the contract uses. */
export interface Schema {
  readonly $ref?: string;
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
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly 'x-provenance'?: Provenance;
}

interface Content {
  readonly 'application/json'?: {
    readonly schema?: Schema;
    readonly examples?: { readonly typical?: { readonly value: unknown } };
  };
}
interface Ref {
  readonly $ref?: string;
}
export interface Parameter extends Ref {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: Schema;
}
interface ResponseObject extends Ref {
  readonly description: string;
  readonly content?: Content;
}
interface ContractOperation {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly 'x-scopes': readonly string[];
}
type PathItem = { readonly parameters?: readonly Parameter[] } & Readonly<
  Record<'get' | 'put' | 'post' | 'delete' | 'patch', ContractOperation | undefined>
>;

/** The OpenAPI document that the mock serves. */
export interface Contract {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description?: string;
  };
  readonly paths: Readonly<Record<string, PathItem>>;
}

/** Follows a `$ref` of the document. A value without a `$ref` is returned unchanged. */
export function resolved<T extends Ref>(contract: Contract, value: T): T {
  if (value.$ref === undefined) return value;
  let found: unknown = contract;
  for (const name of value.$ref.replace('#/', '').split('/')) found = (found as Record<string, unknown>)[name];
  return found as T;
}

/** An operation with its method, path and parameters. Undefined if the mock's profile leaves it out. */
export function operationOf(contract: Contract, id: string) {
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of ['get', 'put', 'post', 'delete', 'patch'] as const) {
      const operation = item[method];
      if (operation?.operationId !== id) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        scopes: operation['x-scopes'],
        parameters: parameters.map((parameter): Parameter => {
          const { schema, ...known } = resolved(contract, parameter);
          return schema === undefined ? known : { ...known, schema: resolved(contract, schema) };
        }),
      };
    }
  }
  return undefined;
}

/** The example of a successful reply in the contract, if there is one. */
export function exampleReply(contract: Contract, { responses }: Pick<ContractOperation, 'responses'>) {
  for (const [status, reference] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const example = resolved(contract, reference).content?.['application/json']?.examples?.typical?.value;
    return { status: Number(status), example };
  }
  return undefined;
}
