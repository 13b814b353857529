/**
 * The URL of a file in the package, such as a JSON Schema.
 * @param path from the root of the repository, such as `spec/files/target.schema.json`
 */
export function packaged(path: string): URL {
  // In the built package this code is in `dist/chunks/` and the files are below `dist/`, so one folder up is right there as well.
  return new URL(`../${path}`, import.meta.url);
}
