import { parse } from 'yaml';

// The parts of `openapi.yaml` that the generator reads. That the document is sound, `redocly lint` checks; a missing or unknown
// provenance does not compile, because the generated modules have types.

type Named<T> = Readonly<Record<string, T>>;

/** The name of a schema, as `#/components/schemas/<name>`. */
export interface Reference {
  readonly $ref: string;
}
interface JsonBody {
  readonly 'application/json': {
    readonly schema: Reference;
    readonly examples?: { readonly typical: { value: unknown } };
  };
}
export interface Header {
  readonly required?: boolean;
  readonly schema: Named<unknown>;
}
export interface Response {
  readonly headers?: Named<Header>;
  readonly content: JsonBody;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly security: readonly [{ readonly apiKey: readonly string[] }];
  /** The rule of `rules.yaml` that demands its success. */
  readonly 'x-rule': string;
  readonly 'x-provenance': Named<unknown> & { readonly statuses: Named<string> };
  readonly requestBody?: { readonly content: JsonBody };
  readonly responses: Named<Response>;
}

/** The contract as it is written, but for references: those to schemas are left. */
export interface Contract {
  readonly 'x-scopes': readonly string[];
  readonly 'x-unrouted-responses': Named<Response>;
  readonly paths: Named<{ readonly parameters?: PlacedOperation['parameters'] } & Named<Operation>>;
  readonly components: { readonly schemas: Named<object> };
}

/** An operation with its path and method. */
export interface PlacedOperation extends Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly schema: Reference }[];
}

export function readContract(yaml: string): Contract {
  const document = parse(yaml);
  const resolved = (part: unknown): unknown => {
    const { $ref = '#/components/schemas/' } = Object(part);
    if ($ref.startsWith('#/components/schemas/')) return part;
    const target = $ref.split('/').reduce((whole: Named<unknown>, name: string) => whole[name], { '#': document });
    if (target === undefined) throw new Error(`spec/openapi.yaml: nothing stands at ${$ref}`);
    return target;
  };
  return JSON.parse(JSON.stringify(document, (_, part) => resolved(part)));
}

/** All operations, in the order of the document. */
export const operationsOf = ({ paths }: Contract): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, { parameters = [], ...methods }]) =>
    Object.entries<Operation>(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters,
    })),
  );
