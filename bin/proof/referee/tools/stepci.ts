import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromNpm, run } from '../../../release/programs.ts';
import type { Tool } from '../tool.ts';

const version = '2.8.2';
const written = new URL('smoke.stepci.yaml', import.meta.url).pathname;

export const stepci: Tool = {
  name: 'Step CI',
  version,
  async judge({ url, key, target, folder }) {
    const program = join(await fromNpm('stepci', `stepci@${version}`), '.bin/stepci');
    const [tenant] = target.tenants;
    const ids = {
      conversation: tenant?.conversations?.open,
      site: tenant?.sites?.current,
      client: tenant?.clientSite?.client,
      label: tenant?.spareLabel?.id,
    };
    const file = join(folder, 'smoke.yaml');
    copyFileSync(written, file);
    const env = Object.entries({ url, key, ...ids }).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    // It would report each run to its makers.
    const said = await run(program, ['run', file, ...env], {
      cwd: folder,
      env: { ...process.env, STEPCI_DISABLE_ANALYTICS: '1' },
      codes: [...Array(30).keys()],
    });
    if (!said.includes('Workflow')) throw new Error(`it ran nothing:\n${said.slice(-2_000)}`);
    const [, ...failed] = said.split(/^● /m);
    return failed.flatMap((text) => {
      const [, method, address] = /^(\w+) (https?:\S+) HTTP/m.exec(text) ?? [];
      const what = [...text.matchAll(/^✕ (.*)$/gm)].map(([, check]) => check).join(', ');
      const step = text.split('\n')[0] ?? '';
      const path = address?.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*$|(?<=^\/storage\/).*$/, '');
      return text.includes('Step was skipped') ? [] : [{ at: path ? `${method} ${path}` : step, what: what || step }];
    });
  },
};
