import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromPip, run } from '../../../release/programs.ts';
import type { Tool } from '../tool.ts';

const version = '4.32.5';

/** As in its JSON report. Links between operations share one name, `Stateful tests`. */
interface Failure {
  readonly code: string;
  readonly title: string;
  readonly operations: readonly string[];
}

/** @param examples how many it makes for each operation; 100 is its default */
export const schemathesis = (examples: number): Tool => ({
  name: 'Schemathesis',
  version,
  async judge({ url, key, document, folder }, seed) {
    const program = join(await fromPip('schemathesis', `schemathesis==${version}`), 'schemathesis');
    const report = join(folder, 'report.json');
    const options = [
      ...['--url', url, '--header', `x-api-key: ${key}`, '--continue-on-failure', '--checks', 'all'],
      ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', String(examples), '--seed', String(seed)],
      ...['--generation-database', 'none', '--report', 'json', '--report-json-path', report],
    ];
    await run(program, ['run', document, ...options], { cwd: folder, codes: [0, 1] });
    const { failures } = JSON.parse(readFileSync(report, 'utf8'));
    return failures.flatMap(({ code, title, operations }: Failure) =>
      operations.map((at) => ({ at, what: `${code} ${title}` })),
    );
  },
});
