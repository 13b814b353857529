import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parse, stringify } from 'yaml';
import type { TargetInput } from '../../../spec/files/target.ts';
import { program } from '../program.ts';
import { installInto } from './installed.ts';

export const root = resolve(import.meta.dirname, '../../..');
export const usualUrl = 'http://127.0.0.1:4010';

/** What the blocks of pages need: a folder with the files that they use, and running mocks for the target files. */
export interface Scene extends Disposable {
  readonly folder: string;
  /** The address of a mock with default options. */
  readonly url: string;
}

/**
 * `target.yaml` and `target.json` describe a mock with default options, `staging.yaml` one whose keys have raised limits, so
 * that a whole run against it takes seconds. `load/` and `spec/` are there as in a checkout, and the package is installed.
 */
export async function setScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-pages-'));
  const mocks: ChildProcess[] = [];
  const start = async (...args: string[]): Promise<string> => {
    const mock = spawn(process.execPath, [program, 'mock', '--port', '0', '--json', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    mocks.push(mock);
    const [line] = await once(createInterface(mock.stdout), 'line');
    return JSON.parse(line).url;
  };
  const text = readFileSync(join(root, 'fixtures/mock.target.yaml'), 'utf8');
  const usual = text.replace(usualUrl, await start());
  writeFileSync(join(folder, 'target.yaml'), usual);
  writeFileSync(join(folder, 'target.json'), JSON.stringify(parse(usual)));
  const raised = { perSecond: 500, burst: 500 };
  const fast: TargetInput = { ...parse(text), baseUrl: await start('--rate', '500', '--burst', '500') };
  const tenants = fast.tenants.map((tenant) => ({
    ...tenant,
    keys: tenant.keys.filter(({ use }) => use !== 'limits').map((key) => ({ ...key, rateLimit: raised })),
  }));
  writeFileSync(join(folder, 'staging.yaml'), stringify({ ...fast, tenants }));
  installInto(folder);
  for (const part of ['load', 'spec']) symlinkSync(join(root, part), join(folder, part));
  return {
    folder,
    url: parse(usual).baseUrl,
    [Symbol.dispose]() {
      for (const mock of mocks) mock.kill();
      rmSync(folder, { recursive: true });
    },
  };
}
