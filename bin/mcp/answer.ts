import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/** What a tool says: data as text. What a person would be told on the command line, the model is told as the tool's error. */
export async function answer(make: () => unknown) {
  try {
    return { content: [{ type: 'text' as const, text: JSON.stringify(await make(), null, 1) }] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { isError: true, content: [{ type: 'text' as const, text: error.problems.join('\n') }] };
  }
}
