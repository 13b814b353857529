import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The first line of a YAML file that we write. It tells editors the JSON Schema, so that they can complete and check the file.
 * @param file where the YAML file will be
 * @param schema where the JSON Schema is
 */
export function schemaComment(file: string, schema: URL): string {
  // The path is relative, because a project moves with its node_modules. It has slashes on every system.
  const path = relative(dirname(resolve(file)), fileURLToPath(schema));
  return `# yaml-language-server: $schema=${path.split(sep).join('/')}\n`;
}
