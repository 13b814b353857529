import { parse } from 'yaml';

// The parts of `openapi.yaml` that the generator reads. That the document is sound, `redocly lint` checks; a missing or unknown
// provenance does not compile, because the generated modules have types.

interface Reference {
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
  readonly schema: Readonly<Record<string, unknown>>;
}
export interface Response {
  readonly headers?: Readonly<Record<string, Reference | Header>>;
  readonly content: JsonBody;
}
interface Parameter {
  readonly name: string;
  readonly schema: Reference;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly security: readonly [{ readonly apiKey: readonly string[] }];
  /** The rule of `rules.yaml` that demands its success. */
  readonly 'x-rule': string;
  readonly 'x-provenance': Readonly<Record<string, unknown>> & { readonly statuses: Readonly<Record<string, string>> };
  readonly requestBody?: { readonly content: JsonBody };
  readonly responses: Readonly<Record<string, Reference | Response>>;
}
type PathItem = { readonly parameters?: readonly Reference[] } & Readonly<Record<string, Operation>>;

/** The contract, as it is written. */
export interface Contract {
  readonly 'x-scopes': readonly string[];
  readonly 'x-unrouted-responses': Readonly<Record<string, Reference | Response>>;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** An operation with its path and method. Its references are resolved. */
export interface PlacedOperation extends Omit<Operation, 'responses'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}

export const readContract = (yaml: string): Contract => parse(yaml);

/** All operations, in the order of the document. */
export const operationsOf = ({ paths, components }: Contract): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, { parameters = [], ...methods }]) =>
    Object.entries<Operation>(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((parameter) => follow(parameter, components.parameters)),
      responses: followAll(operation.responses, components.responses),
    })),
  );

/** The component of a reference `{ $ref: '#/components/<section>/<name>' }`; other values are returned as they are. */
function follow<T extends object>(value: Reference | NoInfer<T>, section: Readonly<Record<string, T>>): T {
  if (!('$ref' in value)) return value;
  const target = section[componentName(value)];
  if (target === undefined) throw new Error(`spec/openapi.yaml: nothing stands at ${value.$ref}`);
  return target;
}

/** The same record with its references resolved. */
export const followAll = <T extends object>(
  values: Readonly<Record<string, Reference | NoInfer<T>>>,
  section: Readonly<Record<string, T>>,
): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, follow(value, section)]));

/** The last part of a reference, which is the name of the component. */
export const componentName = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);
