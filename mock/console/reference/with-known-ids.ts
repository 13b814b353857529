import type { Parameter } from './contract.ts';

/**
 * Replaces the ids of an example in the contract by ids of a tenant of the mock.
 * @param parameters path parameters; their schemas list the ids that the examples use
 * @param values the new id for each parameter
 */
export function withKnownIds(
  example: unknown,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): unknown {
  let text = JSON.stringify(example) ?? 'null';
  for (const { name, schema } of parameters) {
    const known = values[name];
    if (!known) continue;
    for (const own of schema?.examples ?? []) text = text.replaceAll(JSON.stringify(own), JSON.stringify(known));
  }
  return JSON.parse(text);
}
