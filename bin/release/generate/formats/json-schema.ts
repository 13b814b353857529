import { z } from 'zod';

/**
 * The JSON Schema of a zod schema, as text.
 * @param io whether it is told as people write it (`input`) or as it is after defaults were filled in
 */
export function jsonSchema(
  schema: z.ZodType,
  title: string,
  io: 'input' | 'output' = 'output',
  override?: z.core.ToJSONSchemaParams['override'],
): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, override });
  return `${withShortLists(JSON.stringify({ $schema, title, ...rest }, null, 2))}\n`;
}

/** The same for a file in which the environment fills ${NAME} in: editors see it before that is done. */
export function editorSchema(schema: z.ZodType, title: string): string {
  return jsonSchema(schema, title, 'input', ({ jsonSchema: part }) => {
    if (part.pattern === undefined) return;
    // Where a schema is used twice, this sees it twice.
    if (!part.pattern.endsWith(placeholder)) part.pattern += placeholder;
    delete part.format;
  });
}

const placeholder = '|\\$\\{[A-Za-z_]\\w*\\}';

/** Lists of words stand in one line where they fit, as the formatter of the repository has it. */
function withShortLists(json: string): string {
  return json.replace(/^(.*)\[\n([^[\]{}]*)\n *\](,?)$/gm, (list, before: string, words: string, after: string) => {
    const line = `${before}[${words.trim().replace(/,\n */g, ', ')}]${after}`;
    return line.length <= 120 ? line : list;
  });
}
