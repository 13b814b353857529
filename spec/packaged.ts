/**
 * A file that comes with the package, such as a JSON Schema.
 * @param path from the root of the repository, as in `spec/files/target.schema.json`
 */
export function packaged(path: string): URL {
  // In the built package this code is in `dist/chunks/`, and everything else is below `dist/`: one folder up is right in both.
  return new URL(`../${path}`, import.meta.url);
}
