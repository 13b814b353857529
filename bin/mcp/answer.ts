import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/** The answer of a tool: data as JSON text. Mistakes in input and configuration become errors of the tool, with the messages of the command line. */
export async function answer(make: () => unknown) {
  try {
    return { content: [{ type: 'text' as const, text: JSON.stringify(await make(), null, 1) }] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { isError: true, content: [{ type: 'text' as const, text: error.problems.join('\n') }] };
  }
}
