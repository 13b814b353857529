import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readReport } from '../../../../conformance/index.ts';
import { packageVersion } from '../../../../spec/package-facts.ts';
import { runTool, type Tool } from '../tool.ts';

const program = fileURLToPath(new URL('../../../partnerkit.ts', import.meta.url));

export const ours: Tool = {
  name: 'partnerkit conformance',
  version: packageVersion(),
  how: '`conformance run` with the target file of the mock and `--allow-leftovers --allow-risk --slow`, at most 30 minutes; without hooks.',
  blind: 'It knows this one contract and no other.',
  waits: true,
  async judge({ targetFile, folder }) {
    const target = `${folder}/ours.yaml`;
    // The mock has no lag, so a second is enough for what might settle later.
    writeFileSync(target, `${readFileSync(targetFile, 'utf8')}\nsettleMilliseconds: 1000\n`);
    const report = `${folder}/ours.json`;
    const allowed = ['--allow-leftovers', '--allow-risk', '--slow'];
    const args = ['conformance', 'run', '--target', target, ...allowed, '--report', `json=${report}`];
    const said = await runTool(process.execPath, [program, ...args], { cwd: folder, codes: [0, 1, 2, 3], minutes: 30 });
    // A run that finds the target file untrue ends there, and says in which reply.
    const [, untrue] = /the target file does not describe the deployment:\s+(.*)/.exec(said) ?? [];
    if (untrue !== undefined) return [{ at: /(?:GET|PUT|POST|DELETE) \S+/.exec(untrue)?.[0] ?? '', what: untrue }];
    const { rows } = readReport(report);
    return rows.flatMap(({ id, outcome, rule }) =>
      // A broken should is a warning, and documented too.
      (outcome === 'fail' || outcome === 'warn') && rule.provenance === 'documented' ? [{ at: id, what: id }] : [],
    );
  },
};
