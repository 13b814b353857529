import { placedOperations, readDocument } from './contract/document.ts';
import { generatedFiles } from './contract/generated-files.ts';
import { handlersModule } from './contract/handlers-module.ts';
import { type Files, read } from './files.ts';
import { renderRules } from './rules/rules-module.ts';

/** The files that are generated from `spec/openapi.yaml` and `spec/rules.yaml`. All other code needs them. */
export async function fromContract(): Promise<Files> {
  const yaml = await read('spec/openapi.yaml');
  const contract = await generatedFiles(yaml);
  const ids = placedOperations(readDocument(yaml)).map(({ operation }) => operation.operationId);
  return new Map([
    ...[...contract].map(([name, text]) => [`spec/generated/${name}`, text] as const),
    ['mock/operations/generated/operations.ts', handlersModule(ids)],
    ['spec/generated/rules.ts', renderRules(await read('spec/rules.yaml'))],
  ]);
}
