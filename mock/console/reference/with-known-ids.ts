import type { Parameter } from './contract.ts';

/**
 * An example of the contract with the ids of a running tenant in place of its own.
 * @param parameters of the path; their schemas have the ids that the examples use
 * @param values what stands for each of them here
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
