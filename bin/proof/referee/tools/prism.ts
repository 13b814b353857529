import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../spec/proof/processes.ts';
import { fromNpm } from '../../../release/programs.ts';
import type { Tool } from '../tool.ts';
import { newmanOf } from './newman.ts';

const version = '5.16.0';

export const prism: Tool = {
  name: 'Prism, as a validating proxy',
  version,
  async judge(served) {
    const { url, document, collection, folder } = served;
    const script = join(
      await fromNpm('prism', `@stoplight/prism-cli@${version}`),
      '@stoplight/prism-cli/dist/index.js',
    );
    const port = await freePort();
    const proxy = spawn(process.execPath, [script, 'proxy', document, url, '--errors', '--port', String(port)], {
      cwd: folder,
    });
    try {
      await new Promise<void>((resolve, reject) => {
        proxy.stdout.on('data', (bytes) => String(bytes).includes('Prism is listening') && resolve());
        proxy.once('exit', (code) => reject(new Error(`prism ended with ${code}`)));
      });
      const proxied = join(folder, 'proxied.json');
      writeFileSync(proxied, readFileSync(collection, 'utf8').replaceAll(url, `http://127.0.0.1:${port}`));
      return await newmanOf(served, [proxied]);
    } finally {
      proxy.kill();
    }
  },
};
