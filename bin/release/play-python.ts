import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../spec/proof/processes.ts';
import { everyBlock } from './documentation/pages.ts';
import { fromPip, root, run as runProgram } from './programs.ts';

/**
 * Builds the pytest plugin and installs it anew. Checks its types with mypy and pyright,
 * runs its tests with the command of this checkout, or the command in PARTNERKIT, and compares the types that are generated from the control API.
 */

const folder = join(root, 'mock/python');
using temporary = temporaryFolder('python');
const home = temporary.path;
const { PARTNERKIT = `${process.execPath} ${join(root, 'bin/partnerkit.ts')}` } = process.env;
const packages = [
  ...['pytest==9.2.0', 'mypy==2.4.1', 'datamodel-code-generator==0.89.0', 'requests==2.34.2'],
  // The example on its page must be correct as well.
  'testcontainers==4.15.0',
];
const bin = await fromPip('pytest', ...packages, '--reinstall-package', 'partnerkit-pytest', folder);
const env = { ...process.env, PARTNERKIT, PATH: `${bin}:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1' };
const run = (program: string, ...args: string[]) => runProgram(program, args, { cwd: folder, env });
await run('./make-types.sh', join(home, 'made_types.py'));
const [made, kept] = [join(home, 'made_types.py'), join(folder, 'partnerkit_pytest/generated/control_types.py')].map(
  (file) => readFileSync(file, 'utf8'),
);
assert.equal(kept, made, 'control_types.py is not current: run mock/python/make-types.sh');
const cache = ['--cache-dir', join(home, 'mypy')];
process.stdout.write(await run('mypy', '--strict', ...cache, 'partnerkit_pytest', 'proof'));
// From npm, because the package on PyPI would download it at its first start.
process.stdout.write(await run('npx', '--yes', 'pyright@1.1.414', '--pythonpath', join(bin, 'python')));
process.stdout.write(await run('pytest', '-q', '-p', 'no:cacheprovider'));
// The blocks of the pages must be valid Python, and the example that needs no client of the reader must pass.
for (const file of ['mock/python/README.md', 'mock/CONTAINER.md'])
  for (const [i, { language, text }] of everyBlock({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }).entries()) {
    if (language !== 'python') continue;
    const shown = join(home, `test_shown_${i}.py`);
    writeFileSync(shown, text);
    await run('python3', '-m', 'py_compile', shown);
    if (!file.endsWith('README.md')) {
      await run('mypy', '--strict', ...cache, shown);
      continue;
    }
    const example = 'test_a_label_can_be_put_on_twice';
    process.stdout.write(await run('pytest', '-q', '-p', 'no:cacheprovider', `${shown}::${example}`));
  }
