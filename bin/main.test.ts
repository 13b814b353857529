import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('exits with 3 and says why when an error escapes', () => {
  const escaping = `
    const { main } = await import(${JSON.stringify(new URL('main.ts', import.meta.url).href)});
    const running = main(['mock', '--port', '0']);
    setImmediate(() => Promise.reject(new Error('nobody waits for this')));
    await running;
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', escaping], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([3, expect.stringContaining('nobody waits for this')]);
});
