import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromNpm } from '../../../release/programs.ts';
import { runTool, type Tool } from '../tool.ts';

const version = '14.1.0';

/** Only successes are asked for, as it does by itself with older documents. Their media type may name its charset. */
const hooks = `const hooks = require('hooks');
hooks.beforeEach((transaction) => {
  if (!/^2/.test(transaction.expected.statusCode)) transaction.skip = true;
  delete transaction.expected.headers['Content-Type'];
});
`;

export const dredd: Tool = {
  name: 'Dredd',
  version,
  how: 'Our OpenAPI document in the words of 3.0 with its examples, and a hooks file that leaves out what is not a success.',
  blind: 'One request for each operation, with one key.',
  waits: false,
  async judge({ url, key, document30, folder }) {
    const program = join(await fromNpm('dredd', `dredd@${version}`), '.bin/dredd');
    const described = JSON.parse(readFileSync(document30, 'utf8'));
    // It reads one example of a parameter and no named ones.
    for (const parameter of Object.values<Record<string, unknown>>(described.components.parameters)) {
      const [example] = Object.values((parameter.examples ?? {}) as Record<string, { value: unknown }>);
      parameter.example = example?.value;
      parameter.examples = undefined;
    }
    const file = join(folder, 'dredd.json');
    writeFileSync(file, JSON.stringify(described));
    writeFileSync(join(folder, 'hooks.js'), hooks);
    const report = join(folder, 'dredd.md');
    const args = [file, url, '--header', `x-api-key: ${key}`, '--hookfiles', join(folder, 'hooks.js')];
    await runTool(program, [...args, '--reporter', 'markdown', '--output', report, '--loglevel', 'error'], {
      cwd: folder,
    });
    const failed = readFileSync(report, 'utf8')
      .split(/^## /m)
      .filter((part) => part.startsWith('Fail'));
    return failed.map((text) => {
      const [, at = ''] = /^Fail: (.*)$/m.exec(text) ?? [];
      const [, what = ''] = /### Message\s+```\s*([\s\S]*?)```/.exec(text) ?? [];
      return { at: at.replace(/ \(\d+\)/, ''), what: what.trim().slice(0, 300) };
    });
  },
};
