import type { Command } from 'commander';

/** `partnerkit conformance explain`: describes one law. */
export function addExplainCommand(group: Command): void {
  group
    .command('explain')
    .argument('<id>', 'id of a law, as `conformance list` shows it')
    .description('describe one law: what it checks, which requests give evidence')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: { readonly json?: boolean }) => {
      const [{ laws }, { lawById }, { describeLaw, explanation }, { scriptsTrying }] = await Promise.all([
        import('../../../conformance/index.ts'),
        import('../../../conformance/verdict/selection.ts'),
        import('../../../conformance/verdict/describe.ts'),
        import('../../../conformance/scripts/scripts-for-rule.ts'),
      ]);
      const law = describeLaw(lawById(id, laws));
      const scripts = scriptsTrying(law.rule.id);
      process.stdout.write(json ? `${JSON.stringify({ ...law, scripts }, null, 2)}\n` : explanation(law, scripts));
    });
}
