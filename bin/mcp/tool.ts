import type { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/** A tool as clients see it, with the function that answers. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: Readonly<
    Partial<Record<'readOnlyHint' | 'destructiveHint' | 'openWorldHint' | 'idempotentHint', boolean>>
  >;
  /** Returns data for JSON, or throws a ConfigurationError. */
  run(input: z.output<Input>, signal: AbortSignal): unknown;
}

/** A tool whose function gets what its schema allows. */
export const tool = <Input extends z.ZodObject>(definition: Tool<Input>): Tool => definition as unknown as Tool;

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
