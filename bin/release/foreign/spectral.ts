import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Suite } from './suite.ts';
import { npmTools } from './tools.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Spectral's rules for OpenAPI, over both documents. */
export const spectral: Suite = {
  async run({ folder }) {
    const run = await npmTools(folder, ['@stoplight/spectral-cli@6.16.3'], { codes: [0, 1] });
    writeFileSync(join(folder, 'rules.json'), '{ "extends": ["spectral:oas"] }');
    const files = ['spec/openapi.yaml', 'mock/control/openapi.yaml'].map((file) => join(root, file));
    const options = ['--ruleset', 'rules.json', '--format', 'text', '--quiet'];
    const lines = (await run('spectral', 'lint', ...options, ...files)).replaceAll(`${root}/`, '').trim().split('\n');
    return { tried: files.length, failed: lines.filter((line) => line !== '') };
  },
  falseAlarms: [
    [
      /^spec\/openapi\.yaml:\S+ warning oas3-operation-security-defined ""\w+:(read|write)" must be listed among scopes\."$/,
      'since OpenAPI 3.1 a security requirement may name roles of an API key too, and no scheme lists them',
    ],
  ],
};
