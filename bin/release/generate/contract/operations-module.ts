import { type OpenApiDocument, type PlacedOperation, placedOperations, provenances } from './document.ts';

/** The text of `generated/operations.ts`: operations as plain data that imports nothing, so that k6 can load it. */
export function operationsModule(document: OpenApiDocument): string {
  const operations = placedOperations(document).map((placed) => summarise(placed, document['x-scopes']));
  return `// Generated from spec/openapi.yaml by \`npm run generate\`. Do not edit.

/** All known scopes of keys. */
export const scopes = ${json(document['x-scopes'])} as const;
/** The name of a scope. The specification leaves the list open, so a deployment may have others. */
export type Scope = (typeof scopes)[number] | (string & {});

/** Where a statement of the contract comes from. */
export type Provenance = ${provenances.map((name) => `'${name}'`).join(' | ')};

/** The name of an operation in the contract. */
export type OperationId =
${operations.map(({ id }) => `  | '${id}'`).join('\n')};

export interface Operation {
  readonly id: OperationId;
  /** In upper case. */
  readonly method: string;
  /** A template: \`{name}\` stands for one path segment. */
  readonly path: string;
  /** A key needs all of them. */
  readonly scopes: readonly Scope[];
  /** The status of the success reply. */
  readonly success: number;
  /** All declared statuses in ascending order, including the success. */
  readonly statuses: readonly number[];
  readonly tag: string;
  readonly summary: string;
  /** In the order of the path. */
  readonly pathParameters: readonly string[];
  /** Whether a JSON body is required. If not, a body is ignored. */
  readonly hasBody: boolean;
  readonly provenance: {
    readonly method: Provenance;
    readonly path: Provenance;
    readonly scopes: Provenance;
    /** Of the success status. */
    readonly success: Provenance;
    /** Of the body of the success reply. */
    readonly body: Provenance;
    readonly statuses: Readonly<Record<number, Provenance>>;
  };
}

export const operations: Readonly<Record<OperationId, Operation>> = ${json(
    Object.fromEntries(operations.map((operation) => [operation.id, operation])),
  )};
`;
}

function summarise({ operation, method, path, parameters }: PlacedOperation, knownScopes: readonly string[]) {
  const { operationId: id, security, 'x-scopes': scopes, 'x-provenance': provenance } = operation;
  const where = `spec/openapi.yaml: ${id}`;
  same(`${where}: security and x-scopes`, security[0].apiKey, scopes);
  for (const scope of scopes) {
    if (!knownScopes.includes(scope)) throw new Error(`${where}: add the scope ${scope} to x-scopes of the document`);
  }

  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  same(
    `${where}: parameters and path template`,
    parameters.map(({ name }) => name),
    pathParameters,
  );
  const statuses = Object.keys(operation.responses).map(Number).sort();
  same(`${where}: responses and x-provenance.statuses`, statuses.map(String), Object.keys(provenance.statuses).sort());
  const [success, ...more] = statuses.filter((status) => status < 300);
  if (success === undefined || more.length > 0) throw new Error(`${where}: declare exactly one success status`);

  const { statuses: statusProvenances, ...parts } = provenance;
  return {
    id,
    method,
    path,
    scopes,
    success,
    statuses,
    tag: operation.tags[0],
    summary: operation.summary,
    pathParameters,
    hasBody: operation.requestBody !== undefined,
    provenance: { ...parts, success: statusProvenances[success], statuses: statusProvenances },
  };
}

function same(what: string, left: readonly unknown[], right: readonly unknown[]): void {
  if (JSON.stringify(left) !== JSON.stringify(right)) {
    throw new Error(`${what} must say the same, but are [${left.join(', ')}] and [${right.join(', ')}]`);
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
