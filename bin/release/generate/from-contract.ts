import { generatedFiles } from './contract/generated-files.ts';
import { type Files, read } from './files.ts';
import { renderRules } from './rules/rules-module.ts';
import { renderScenarioList } from './scenarios.ts';

/** What is generated from `spec/openapi.yaml`, `spec/rules.yaml` and the names of scenarios: all other code stands on it. */
export async function fromContract(): Promise<Files> {
  const contract = await generatedFiles(await read('spec/openapi.yaml'));
  return new Map([
    ...[...contract].map(([name, text]) => [`spec/generated/${name}`, text] as const),
    ['load/scenarios/all.ts', renderScenarioList()],
    ['spec/generated/rules.ts', renderRules(await read('spec/rules.yaml'))],
  ]);
}
