import { writeFileSync } from 'node:fs';
import { packaged } from '../packaged.ts';
import { yamlText } from '../text/yaml-text.ts';
import { type Profile, parseProfile } from './profile-schema.ts';
import { schemaComment } from './schema-comment.ts';
import { readYamlFile } from './yaml-file.ts';

// The schema stands apart because it touches no file, so that a mock in a browser can check a profile too.
export * from './profile-schema.ts';

/**
 * Reads and checks a profile file, YAML or JSON.
 * @throws ConfigurationError with every problem found, one line each: file, place, what is wrong
 */
export function loadProfile(file: string): Profile {
  // An empty file is a profile that changes nothing, as is one with every line commented out.
  return parseProfile(readYamlFile(file) ?? {}, file);
}

/**
 * Writes a profile as YAML. Properties stand in the order of the schema, whatever their order in memory, so that two
 * profiles can be compared line by line; the first line leads editors to the JSON Schema.
 */
export function writeProfile(file: string, profile: Profile): void {
  // Parsing is what puts the properties in order.
  const text = yamlText(parseProfile(profile, file));
  writeFileSync(file, `${schemaComment(file, packaged('spec/files/profile.schema.json'))}${text}`);
}
