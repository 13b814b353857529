import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromNpm, run } from '../../../release/programs.ts';
import type { Served } from '../serve.ts';
import type { Complaint, Tool } from '../tool.ts';

const version = '6.2.2';

/** Runs a collection. @returns the assertions that failed, and the requests without a reply */
export async function newmanOf(
  { folder }: Pick<Served, 'folder'>,
  args: readonly string[],
): Promise<readonly Complaint[]> {
  const program = join(await fromNpm('newman', `newman@${version}`), '.bin/newman');
  const report = join(folder, 'newman.json');
  await run(program, ['run', ...args, '--reporters', 'json', '--reporter-json-export', report], {
    cwd: folder,
    codes: [0, 1],
  });
  const { run: ran } = JSON.parse(readFileSync(report, 'utf8'));
  // biome-ignore lint/suspicious/noExplicitAny: the report of another program
  return ran.failures.map(({ source, error }: any) => ({
    at: `${source.request?.method} /${(source.request?.url?.path ?? []).join('/')}`,
    what: `${error.test ?? error.name}: ${error.message}`,
  }));
}

export const newman: Tool = {
  name: 'newman',
  version,
  judge: (served) => newmanOf(served, [served.collection]),
};
