import { parse } from 'yaml';
import { type Contract, operationsOf, type PlacedOperation } from './contract.ts';

/** The text of `generated/operations.ts`: operations as plain data that imports only a type, so that k6 can load it. */
export function operationsModule(contract: Contract): string {
  const operations = operationsOf(contract).map((operation) => summaryOf(operation, contract['x-scopes']));
  return `// Generated from spec/openapi.yaml by \`npm run generate\`. Do not edit.
import type { RuleId } from './rules.ts';

/** All known scopes of keys. */
export const scopes = ${json(contract['x-scopes'])} as const;
/** The name of a scope. The specification leaves the list open, so a deployment may have others. */
export type Scope = (typeof scopes)[number] | (string & {});

/** Where a statement of the contract comes from. */
export type Provenance = 'documented' | 'reference' | 'assumed';

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
  /** The rule that demands its success. */
  readonly rule: RuleId;
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

function summaryOf(operation: PlacedOperation, known: readonly string[]) {
  const { operationId: id, method, path, security, summary, responses } = operation;
  const { statuses: provenances, ...parts } = operation['x-provenance'];
  const scopes = security[0].apiKey;
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown) throw new Error(`spec/openapi.yaml: ${id}: add the scope ${unknown} to x-scopes of the document`);
  const statuses = Object.keys(responses).map(Number).sort();
  if (`${statuses}` !== `${Object.keys(provenances).map(Number).sort()}`)
    throw new Error(`spec/openapi.yaml: ${id}: responses and x-provenance.statuses must name the same statuses`);
  const success = statuses.find((status) => status < 300);
  return {
    id,
    method,
    path,
    scopes,
    rule: operation['x-rule'],
    success,
    statuses,
    tag: operation.tags[0],
    summary,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    hasBody: operation.requestBody !== undefined,
    provenance: { ...parts, success: provenances[`${success}`], statuses: provenances },
  };
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/**
 * The text of `spec/generated/rules.ts`: plain data that imports nothing, so that k6 can load it. A rule that lacks something, or has
 * something unknown, does not compile.
 * @param yaml the text of `spec/rules.yaml`
 */
export function rulesModule(yaml: string): string {
  const rules: readonly { readonly id: string }[] = parse(yaml);
  return `// Generated from spec/rules.yaml by \`npm run generate\`. Do not edit.

/** The id of a rule: its area and its subject. */
export type RuleId =
${rules.map(({ id }) => `  | '${id}'`).join('\n')};

/** How a rule is verified. \`untestable\` excludes all others. */
export type Verification = 'conformance' | 'load' | 'certify' | 'mock' | 'untestable';

export interface Rule {
  readonly id: RuleId;
  /** The heading of the specification that the rule comes from. */
  readonly section: string;
  /** One sentence. */
  readonly rule: string;
  /** What to do in a deployment that breaks it, where that can fail one. */
  readonly remedy?: string;
  readonly level: 'must' | 'should';
  /** Only documented rules are judged. For other rules, the behaviour of a deployment is observed. */
  readonly provenance: 'documented' | 'reference' | 'assumed';
  readonly verification: readonly Verification[];
  /** The behaviour that tests of the mock prove, if \`mock\` is among the verifications. */
  readonly behaviour?: string;
  /** Why the rule is not verified, if it is untestable. */
  readonly reason?: string;
}

/** All rules, in the order of the specification. */
export const rules: readonly Rule[] = ${JSON.stringify(rules, null, 2)};
`;
}
