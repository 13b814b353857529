import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './suite.ts';
import { npmTools } from './tools.ts';

/** Specmatic's contract tests: the named examples, and what it makes of them, valid and invalid. */
export const specmatic: Suite = {
  async run({ folder, url, apiKey }) {
    // It would report each run to its makers.
    const env = { apiKey, SPECMATIC_GENERATIVE_TESTS: 'true', SPECMATIC_DISABLE_TELEMETRY: 'true' };
    const run = await npmTools(folder, ['specmatic@2.55.1'], { env, codes: [0, 1] });
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/_mock/openapi.json`)).text());
    const jar = 'node_modules/specmatic/specmatic.jar';
    const said = await run('java', '-jar', jar, 'test', 'openapi.json', `--testBaseURL=${url}`);
    const [, tried = 0, count = 0] = /^Tests run: (\d+), Successes: \d+, Failures: (\d+)/m.exec(said) ?? [];
    const [, told = ''] = said.split('\nUnsuccessful Scenarios:\n');
    const failed = told.split(/^ {2}"/m).slice(1);
    if (failed.length !== Number(count)) throw new Error(`of ${count} failures ${failed.length} were read:\n${told}`);
    return { tried: Number(tried), failed: failed.map((text) => text.replaceAll(/\s+/g, ' ')) };
  },
  falseAlarms: [
    [
      /POST \/v1\/site\/\(id:SiteId\)\/file -> 201 .*only the mandatory keys FAILED.* contained status 409/,
      'it registers the file of the example once with a name and once without; the second time it is already registered',
    ],
  ],
};
