import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readReport } from '../../../../conformance/index.ts';
import { readYamlFile } from '../../../../spec/files/read-file.ts';
import { packageVersion } from '../../../../spec/package-facts.ts';
import { run } from '../../../release/programs.ts';
import type { Tool } from '../tool.ts';

const packaged = readYamlFile(
  fileURLToPath(new URL('../../../../fixtures/mock.target.yaml', import.meta.url)),
) as object;
const program = fileURLToPath(new URL('../../../partnerkit.ts', import.meta.url));

export const ours: Tool = {
  name: 'partnerkit conformance',
  version: packageVersion(),
  waits: true,
  async judge({ url, target: { operations }, folder }) {
    const target = `${folder}/ours.yaml`;
    // A second is enough for what settles later.
    const described = { ...packaged, baseUrl: url, operations, settleMilliseconds: 1000 };
    writeFileSync(target, JSON.stringify(described));
    const report = `${folder}/ours.json`;
    const allowed = ['--allow-leftovers', '--allow-risk', '--allow-hooks', '--slow'];
    const args = ['conformance', 'run', '--target', target, ...allowed, '--report', `json=${report}`];
    try {
      await run(process.execPath, [program, ...args], { cwd: folder, codes: [0, 1, 3], minutes: 30 });
    } catch (error) {
      // A run that finds the target file untrue ends there, and says in which reply.
      const [, untrue] = /the target file does not describe the deployment:\s+(.*)/.exec(String(error)) ?? [];
      if (untrue === undefined) throw error;
      return [{ at: /(?:GET|PUT|POST|DELETE) \S+/.exec(untrue)?.[0] ?? '', what: untrue }];
    }
    const { rows } = readReport(report);
    return rows.flatMap(({ id, outcome, rule }) =>
      // A broken should is a warning, and documented too.
      (outcome === 'fail' || outcome === 'warn') && rule.provenance === 'documented' ? [{ at: id, what: id }] : [],
    );
  },
};
