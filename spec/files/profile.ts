import { writeFileSync } from 'node:fs';
import { packaged } from '../package-facts.ts';
import { yamlText } from '../text/yaml-text.ts';
import { type Profile, parseProfile } from './profile-schema.ts';
import { readYamlFile } from './read-file.ts';
import { schemaComment } from './schema-comment.ts';

// The schema is a module of its own, without access to files, so that a mock in a browser can check a profile.
export * from './profile-schema.ts';

/**
 * Reads and checks a profile file, YAML or JSON.
 * @throws ConfigurationError with a line for each problem: file, place, what is wrong
 */
export function loadProfile(file: string): Profile {
  // An empty file, or one with only comments, is a profile that changes nothing.
  return parseProfile(readYamlFile(file) ?? {}, file);
}

/**
 * Writes a profile as YAML. The properties are in the order of the schema, so that two profiles can be compared line by line.
 * The first line tells editors the JSON Schema.
 */
export function writeProfile(file: string, profile: Profile): void {
  // Parsing puts the properties in order.
  const text = yamlText(parseProfile(profile, file));
  writeFileSync(file, `${schemaComment(file, packaged('spec/files/profile.schema.json'))}${text}`);
}
