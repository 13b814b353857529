import { z } from 'zod';

/**
 * The text of the JSON Schema for a zod schema.
 * @param io whether it describes a value as people write it (`input`) or with its defaults
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

/** The same for a file with `${NAME}`, which editors see before it is replaced. */
export function editorSchema(schema: z.ZodType, title: string): string {
  return jsonSchema(schema, title, 'input', ({ jsonSchema: part }) => {
    if (part.pattern === undefined) return;
    // A schema that is used twice is visited twice.
    if (!part.pattern.endsWith(placeholder)) part.pattern += placeholder;
    delete part.format;
  });
}

const placeholder = '|\\$\\{[A-Za-z_]\\w*\\}';

/** Lists of words are on one line if they fit, as the formatter of the repository writes them. */
function withShortLists(json: string): string {
  return json.replace(/^(.*)\[\n([^[\]{}]*)\n *\](,?)$/gm, (list, before: string, words: string, after: string) => {
    const line = `${before}[${words.trim().replace(/,\n */g, ', ')}]${after}`;
    return line.length <= 120 ? line : list;
  });
}
