import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sampler from 'openapi-sampler';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { type Contract, operationsOf, readContract } from './contract/contract.ts';
import { operationsModule, rulesModule } from './contract/operations-module.ts';
import { replyValidatorsModule, requestValidatorsModule } from './contract/validators-modules.ts';

const root = resolve(import.meta.dirname, '../../..');

export const read = (path: string): Promise<string> => readFile(resolve(root, path), 'utf8');

/** Generated files: path from the root -> text. */
export type Files = ReadonlyMap<string, string>;

const head = '// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.\n';

/**
 * The files that are generated from the contract, which all other code needs. The same input gives the same text on every machine.
 * @throws Error with the place if scopes, statuses or references do not fit together
 */
export async function fromContract(openapi?: string): Promise<Files> {
  const yaml = openapi ?? (await read('spec/openapi.yaml'));
  const contract = readContract(yaml);
  // First, because its errors name the operation. The errors of openapi-typescript do not.
  const operations = operationsModule(contract);
  const types = await openapiTypescript(yaml, { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return new Map([
    ['spec/generated/operations.ts', operations],
    ['spec/generated/api.ts', head + astToString(types)],
    ['spec/generated/request-validators.js', await requestValidatorsModule(contract)],
    ['spec/generated/samples.ts', samplesModule(contract)],
    ['spec/generated/reply-validators.js', await replyValidatorsModule(contract)],
    ['spec/generated/openapi.json', `${JSON.stringify(parse(yaml), null, 2)}\n`],
    ['spec/generated/rules.ts', rulesModule(await read('spec/rules.yaml'))],
  ]);
}

/** Bodies for the success reply of each operation: the named examples, and one that is made from its schema. */
function samplesModule(contract: Contract): string {
  const samples = operationsOf(contract).map(({ operationId, responses }) => {
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
    const { schema = {}, examples } = success?.content['application/json'] ?? {};
    const named = Object.entries({ ...examples }).map(([name, { value }]) => [name, value]);
    return [operationId, { made: sampler.sample(schema, {}, contract), named: Object.fromEntries(named) }] as const;
  });
  return `${head}import type { OperationId } from './operations.ts';

interface Samples {
  readonly made: unknown;
  readonly named: Readonly<Record<string, unknown>>;
}

/** Bodies for the success reply of each operation: one that keeps its schema, and the examples of the document by name. */
export const samples: Readonly<Record<OperationId, Samples>> = ${JSON.stringify(Object.fromEntries(samples), null, 2)};
`;
}
