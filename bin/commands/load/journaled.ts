import { defaultJournalFolder } from '../../../conformance/index.ts';
import { fileJournal } from '../../../conformance/journal/file-journal.ts';
import type { Borrowed } from '../../../conformance/journal/write-journal.ts';
import { labelWork } from '../../../load/plan/label-objects.ts';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import type { PreparedRun } from '../../../load/run/prepare-run.ts';
import { ownCommand } from '../../../spec/own-command.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';

/** How long after its planned end a request of the run may still arrive, in seconds. */
const lateSeconds = 60;

/**
 * Writes the changes of a scenario to the journal before it runs, so that `conformance cleanup` can undo them however the run
 * ends. The entries are removed only if the run surely has undone its changes.
 */
export async function journaled(
  { plan, target, traffic }: PreparedRun,
  keys: readonly string[],
  run: () => Promise<LoadReport>,
  file: string,
  folder: string = defaultJournalFolder,
): Promise<LoadReport> {
  const [tenant] = target.tenants;
  if (plan.name !== 'labels' || tenant === undefined) return run();
  const { label, objects } = labelWork(target, keys);
  const until = Date.now() + (traffic.seconds + lateSeconds) * 1000;
  const changes = objects.map(({ name }): Borrowed => {
    const common = { tenant: tenant.name, label: label.id, until };
    const { client = '', site = '' } = tenant.clientSite ?? {};
    if (name === 'conversation')
      return { ...common, holder: { kind: 'conversation', id: tenant.conversations?.open ?? '' } };
    if (name === 'site') return { ...common, holder: { kind: 'site', id: tenant.sites?.current ?? '' } };
    return { ...common, holder: { kind: 'link', clientId: client, siteId: site } };
  });
  const journal = fileJournal(folder, target.baseUrl);
  for (const change of changes) await journal.borrowed(change);
  const report = await run();
  if (report.outcome === 'keeps') for (const change of changes) await journal.returned(change);
  else {
    const cleanup = commandLine([...ownCommand(), 'conformance', 'cleanup', '--target', file]);
    process.stderr.write(`The run may have left its label on records. Undo with: ${cleanup}\n`);
  }
  return report;
}
