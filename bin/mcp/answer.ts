import { ConfigurationError } from '../../spec/files/configuration-error.ts';

const text = (text: string) => [{ type: 'text' as const, text }];

/** The answer of a tool: data as JSON text. Whatever is thrown becomes an error of the tool; mistakes have the messages of the command line. */
export async function answer(make: () => unknown) {
  try {
    return { content: text(JSON.stringify(await make(), null, 1)) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { isError: true, content: text(error.problems.join('\n')) };
    return { isError: true, content: text(`the tool failed: ${error instanceof Error ? error.message : error}`) };
  }
}
