import type { Command } from 'commander';

/** `partnerkit conformance explain`: what one check verifies, why, and which defects prove that it can fail. */
export function addExplainCommand(group: Command): void {
  group
    .command('explain')
    .argument('<id>', 'id of a check, as `conformance list` shows it')
    .description('say what one check verifies, why, and which defects prove that it can fail')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: { readonly json?: boolean }) => {
      const [{ checks }, { checkById }, { describeCheck, explanation }, { readKillMatrix }] = await Promise.all([
        import('../../../conformance/index.ts'),
        import('../../../conformance/validate-selection.ts'),
        import('../../../conformance/describe-check.ts'),
        import('../../../conformance/kill-matrix.ts'),
      ]);
      const described = describeCheck(checkById(id, checks));
      const matrix = readKillMatrix();
      const defects = matrix?.filter(({ killedBy }) => killedBy.includes(id)) ?? null;
      process.stdout.write(
        json ? `${JSON.stringify({ ...described, defects }, null, 2)}\n` : explanation(described, defects),
      );
    });
}
