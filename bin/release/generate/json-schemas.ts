import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { profileSchema } from '../../../spec/files/profile-schema.ts';
import { targetSchema } from '../../../spec/files/target.ts';
import { waiversSchema } from '../../../spec/files/waivers.ts';

/** The JSON Schemas that editors use for target, profile and waiver files: file name in `spec/` -> text. */
export function renderJsonSchemas(): ReadonlyMap<string, string> {
  return new Map([
    ['target.schema.json', renderJsonSchema(targetSchema, 'A partnerkit target: one deployment of the partner API.')],
    [
      'profile.schema.json',
      renderJsonSchema(profileSchema, 'A partnerkit profile: how one deployment fills what is left open.'),
    ],
    [
      'waivers.schema.json',
      renderJsonSchema(waiversSchema, 'partnerkit waivers: failures that are excused until a date.'),
    ],
  ]);
}

/**
 * The JSON Schema of a file that people write, as text.
 * @param placeholders whether ${NAME} can stand for a text, as it does where the environment fills it in
 */
export function renderJsonSchema(schema: z.ZodType, title: string, { placeholders = true } = {}): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // An editor sees the file before ${NAME} is replaced, so every patterned text may be a placeholder as well.
      if (jsonSchema.pattern === undefined || !placeholders) return;
      // Where a schema is used twice, this sees it twice.
      if (!jsonSchema.pattern.endsWith(placeholder)) jsonSchema.pattern += placeholder;
      delete jsonSchema.format;
    },
  });
  return `${withShortLists(JSON.stringify({ $schema, title, ...rest }, null, 2))}\n`;
}

const placeholder = '|\\$\\{[A-Za-z_]\\w*\\}';

/** Lists of words stand in one line where they fit, as the formatter of the repository has it. */
export function withShortLists(json: string): string {
  return json.replace(/^(.*)\[\n([^[\]{}]*)\n *\](,?)$/gm, (list, before: string, words: string, after: string) => {
    const line = `${before}[${words.trim().replace(/,\n */g, ', ')}]${after}`;
    return line.length <= 120 ? line : list;
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of renderJsonSchemas())
    writeFileSync(new URL(`../../../spec/files/${name}`, import.meta.url), text);
}
