import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { mockTarget } from '../../../spec/proof/mock-target.ts';
import { started, temporaryFolder } from '../../../spec/proof/processes.ts';
import { built, program } from '../program.ts';

export const root = resolve(import.meta.dirname, '../../..');
export const usualUrl = 'http://127.0.0.1:4010';

/** What the blocks of pages need: a project with the package and the files that they use, and running mocks for the target files. */
export type Scene = Awaited<ReturnType<typeof setScene>>;

/**
 * `target.yaml` describes a mock with default options, `staging.yaml` one whose keys have raised limits, so
 * that a whole run against it takes seconds. `load/` and `spec/` are there as in a checkout.
 */
export async function setScene() {
  const scope = new DisposableStack();
  const folder = scope.use(temporaryFolder('pages')).path;
  const start = async (...args: string[]): Promise<string> =>
    scope.use(await started([process.execPath, program, 'mock', '--port', '0', '--quiet', ...args], { cwd: root }))
      .line;
  const text = readFileSync(join(root, 'fixtures/mock.target.yaml'), 'utf8');
  const url = await start();
  writeFileSync(join(folder, 'target.yaml'), text.replace(usualUrl, url));
  const fast = mockTarget(await start('--rate', '500', '--burst', '500'), { perSecond: 500, burst: 500 });
  const tenants = fast.tenants.map(({ keys, ...tenant }) => ({
    ...tenant,
    keys: keys.filter(({ use }) => use !== 'limits'),
  }));
  writeFileSync(join(folder, 'staging.yaml'), stringify({ ...fast, tenants }));
  installInto(folder);
  for (const part of ['load', 'spec']) symlinkSync(join(root, part), join(folder, part));
  return { folder, url, [Symbol.dispose]: () => scope.dispose() };
}

/** Makes the folder a project in which `npx partnerkit` is the command. `npm run check:package` installs what is packed. */
function installInto(folder: string): void {
  const own = join(folder, 'node_modules/partnerkit');
  cpSync(built, join(own, 'dist'), { recursive: true, dereference: true });
  copyFileSync(join(root, 'package.json'), join(own, 'package.json'));
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  mkdirSync(join(folder, 'node_modules/.bin'));
  chmodSync(join(own, 'dist/bin/partnerkit.cjs'), 0o755);
  symlinkSync('../partnerkit/dist/bin/partnerkit.cjs', join(folder, 'node_modules/.bin/partnerkit'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
}

/** The environment of somebody who has just installed npm. */
export function emptyHome(home: string): NodeJS.ProcessEnv {
  mkdirSync(home, { recursive: true });
  return { ...process.env, HOME: home, npm_config_update_notifier: 'false' };
}

/** On a machine this busy, for each of its cores, a run that measures may rightly end without a verdict. */
const busy = 2;

/** Whether a block of a page that measures ended without a verdict, and the machine is the reason. */
export const isUndecided = (printed: string): boolean =>
  /\b(?:cannot tell|could not tell|inconclusive)\b/i.test(printed) &&
  (loadavg()[0] ?? 0) > busy * availableParallelism();
