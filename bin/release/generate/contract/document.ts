import { parse } from 'yaml';
import { z } from 'zod';

/**
 * The parts of `openapi.yaml` that the generator reads. All fields that our tools need are required, so that a missing
 * provenance is an error during generation, not a gap in a report.
 */

export const provenances = ['documented', 'reference', 'assumed'] as const;
const provenance = z.enum(provenances);

const reference = z.strictObject({ $ref: z.string() });
const examples = z.object({ typical: z.object({ value: z.unknown() }) });
const jsonBody = z.object({ 'application/json': z.object({ schema: reference, examples: examples.optional() }) });

const header = z.object({
  required: z.boolean().optional(),
  schema: z.looseObject({ type: z.enum(['string', 'integer']) }),
});
const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.union([reference, header])).optional(),
  content: jsonBody,
});
const parameter = z.object({ name: z.string(), in: z.literal('path'), required: z.literal(true), schema: reference });

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.tuple([z.string()]),
  security: z.tuple([z.strictObject({ apiKey: z.array(z.string()) })]),
  'x-scopes': z.array(z.string()),
  'x-provenance': z.strictObject({
    method: provenance,
    path: provenance,
    scopes: provenance,
    body: provenance,
    statuses: z.record(z.string(), provenance),
  }),
  requestBody: z.object({ required: z.literal(true), content: jsonBody }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
});

const pathItem = z.strictObject({
  parameters: z.array(reference).optional(),
  get: operation.optional(),
  put: operation.optional(),
  post: operation.optional(),
  delete: operation.optional(),
});

const document = z.object({
  'x-scopes': z.array(z.string()),
  'x-unrouted-responses': z.record(z.string(), z.union([reference, response])),
  paths: z.record(z.string(), pathItem),
  components: z.object({
    parameters: z.record(z.string(), parameter),
    headers: z.record(z.string(), header),
    responses: z.record(z.string(), response),
    schemas: z.record(
      z.string(),
      z.looseObject({ 'x-provenance': provenance, 'x-open': z.record(z.string(), provenance).optional() }),
    ),
  }),
});

export type OpenApiDocument = z.infer<typeof document>;
type Operation = z.infer<typeof operation>;
export type Response = z.infer<typeof response>;
export type Header = z.infer<typeof header>;
type Parameter = z.infer<typeof parameter>;
type Reference = z.infer<typeof reference>;

/** An operation with its path and method. Its references are resolved. */
export interface PlacedOperation {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}

/**
 * Reads the text of `openapi.yaml` and checks the parts that the generator needs.
 * @throws Error with the place in the document if something is missing or has another form
 */
export function readDocument(yaml: string): OpenApiDocument {
  const result = document.safeParse(parse(yaml));
  if (!result.success) {
    throw new Error(`spec/openapi.yaml cannot be generated from; mend these places:\n${z.prettifyError(result.error)}`);
  }
  return result.data;
}

/** The component of a reference `{ $ref: '#/components/<section>/<name>' }`; other values are returned as they are. */
function follow<T extends object>(value: Reference | NoInfer<T>, section: Readonly<Record<string, T>>): T {
  if (!isReference(value)) return value;
  const target = section[componentName(value)];
  if (target === undefined) throw new Error(`spec/openapi.yaml: nothing stands at ${value.$ref}`);
  return target;
}

/** All operations, in the order of the document. */
export function placedOperations({ paths, components }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, { parameters = [], ...methods }]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation === undefined
        ? []
        : {
            operation,
            method: method.toUpperCase(),
            path,
            parameters: parameters.map((parameter) => follow(parameter, components.parameters)),
            responses: followAll(operation.responses, components.responses),
          },
    ),
  );
}

/** The same record with its references resolved. */
export function followAll<T extends object>(
  values: Readonly<Record<string, Reference | NoInfer<T>>>,
  section: Readonly<Record<string, T>>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, follow(value, section)]));
}

/** The last part of a reference, which is the name of the component. */
export function componentName({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function isReference(value: object): value is Reference {
  return '$ref' in value;
}
