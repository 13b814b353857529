import { generatedFiles } from './contract/generated-files.ts';
import { type Files, read } from './files.ts';
import { renderRules } from './rules/rules-module.ts';

/** What is generated from `spec/openapi.yaml` and `spec/rules.yaml`: all other code stands on it. */
export async function fromContract(): Promise<Files> {
  const contract = await generatedFiles(await read('spec/openapi.yaml'));
  return new Map([
    ...[...contract].map(([name, text]) => [`spec/generated/${name}`, text] as const),
    ['spec/generated/rules.ts', renderRules(await read('spec/rules.yaml'))],
  ]);
}
