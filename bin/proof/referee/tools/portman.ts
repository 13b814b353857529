import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromNpm, run } from '../../../release/programs.ts';
import type { Tool } from '../tool.ts';

const version = '1.33.0';

export const portman: Tool = {
  name: 'Portman',
  version,
  async judge({ url, key, document, folder }) {
    // Portman does not name tslib, which it needs, among its dependencies.
    const program = join(await fromNpm('portman', `@apideck/portman@${version}`, 'tslib@2.8.1'), '.bin/portman');
    writeFileSync(join(folder, '.env'), `PORTMAN_API_KEY=${key}\n`);
    const args = ['-l', document, '-b', url, '-o', join(folder, 'portman-collection.json'), '--runNewman'];
    const said = await run(program, args, { cwd: folder, codes: [0, 1] });
    if (!said.includes('Run Newman against')) throw new Error(`it ran nothing:\n${said.slice(-2_000)}`);
    const [, failed = ''] = /Newman run failed with:\s*(.*)/.exec(said) ?? [];
    // `[POST]::/v1/site/:id/file - Status code is 2xx`
    return [...failed.matchAll(/\[(\w+)\]::(\S+) - ([^[]*?)(?=, \[|$)/g)].map(([, method, path, what = '']) => ({
      at: `${method} ${path}`,
      what,
    }));
  },
};
