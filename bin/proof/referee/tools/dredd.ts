import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromNpm, run } from '../../../release/programs.ts';
import type { Tool } from '../tool.ts';

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
  async judge({ url, key, document, folder }) {
    const program = join(await fromNpm('dredd', `dredd@${version}`), '.bin/dredd');
    // It reads OpenAPI 3.0.
    const file = join(folder, 'dredd.json');
    const converter = await fromNpm('openapi-down-convert', '@apiture/openapi-down-convert@0.14.2');
    await run(join(converter, '.bin/openapi-down-convert'), ['--input', document, '--output', file]);
    const described = JSON.parse(readFileSync(file, 'utf8'));
    // It reads one example of a parameter and no named ones.
    for (const parameter of Object.values<Record<string, unknown>>(described.components.parameters)) {
      const [example] = Object.values((parameter.examples ?? {}) as Record<string, { value: unknown }>);
      parameter.example = example?.value;
      parameter.examples = undefined;
    }
    writeFileSync(file, JSON.stringify(described));
    writeFileSync(join(folder, 'hooks.js'), hooks);
    const report = join(folder, 'dredd.md');
    const args = [file, url, '--header', `x-api-key: ${key}`, '--hookfiles', join(folder, 'hooks.js')];
    await run(program, [...args, '--reporter', 'markdown', '--output', report, '--loglevel', 'error'], {
      cwd: folder,
      codes: [0, 1],
    });
    const failed = readFileSync(report, 'utf8')
      .split(/^## /m)
      .filter((part) => part.startsWith('Fail'));
    return failed.map((text) => {
      const [, at = ''] = /^Fail: (.*)$/m.exec(text) ?? [];
      const [, what = ''] = /### Message\s+```\s*([\s\S]*?)```/.exec(text) ?? [];
      return { at: at.replace(/ \(\d+\)/, ''), what };
    });
  },
};
