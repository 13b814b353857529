import { constants, copyFileSync, existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../package-facts.ts';

/**
 * The first line of a YAML file that we write. It tells editors the JSON Schema, so that they can complete and check the file. Whoever
 * has the file has the schema too: in the project's own package or in this clone, else it is copied beside the file.
 * @param file where the YAML file will be
 * @param schema where the JSON Schema is
 */
export function schemaComment(file: string, schema: URL): string {
  const [path, root, folder] = [fileURLToPath(schema), packageRoot(), dirname(resolve(file))];
  const installed = foldersFrom(folder)
    .map((above) => join(above, 'node_modules/partnerkit', relative(root, path)))
    .find(existsSync);
  const shared = installed ?? (foldersFrom(folder).includes(root) ? path : besideIn(folder, path));
  // The path is relative, because a project moves with its node_modules. It has slashes on every system.
  return shared === null ? '' : `# yaml-language-server: $schema=${relative(folder, shared).split(sep).join('/')}\n`;
}

const foldersFrom = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))];

/** A package in a cache or installed for one user is not where others have it. Null if the folder cannot be written to. */
function besideIn(folder: string, path: string): string | null {
  const copy = join(folder, basename(path));
  try {
    if (!existsSync(copy)) copyFileSync(path, copy, constants.COPYFILE_EXCL);
    return copy;
  } catch {
    return null;
  }
}
