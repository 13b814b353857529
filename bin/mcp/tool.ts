import type { z } from 'zod';

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
