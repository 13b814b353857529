import { join } from 'node:path';
import { fromNpm, run } from '../../../release/programs.ts';
import type { Tool } from '../tool.ts';

const version = '2.55.1';

export const specmatic: Tool = {
  name: 'Specmatic',
  version,
  async judge({ url, key, document, folder }) {
    const jar = join(await fromNpm('specmatic', `specmatic@${version}`), 'specmatic/specmatic.jar');
    const said = await run('java', ['-jar', jar, 'test', document, `--testBaseURL=${url}`], {
      cwd: folder,
      codes: [0, 1],
      env: { ...process.env, apiKey: key, SPECMATIC_DISABLE_TELEMETRY: 'true' },
    });
    if (!/^Tests run: [1-9]/m.test(said)) throw new Error(`it ran no test:\n${said.slice(-2_000)}`);
    const [, scenarios = ''] = said.split('\nUnsuccessful Scenarios:\n');
    return scenarios
      .split(/^ {2}"/m)
      .slice(1)
      .map((text) => {
        const [, at = text.slice(0, 80)] = /Scenario: (\w+ \/\S+)/.exec(text) ?? [];
        const [, rest = ''] = text.split(/^ *>> /m);
        return { at: at.replaceAll(/\((\w+):\w+\)/g, '{$1}'), what: rest };
      });
  },
};
