import { defaultJournalFolder } from '../../conformance/index.ts';
import { fileJournal } from '../../conformance/journal/file-journal.ts';
import { labelWriteOf } from '../../conformance/target/holder.ts';
import type { LoadReport } from '../../load/report/report-schema.ts';
import type { PreparedRun } from '../../load/run/prepare-run.ts';
import { ownCommand } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';

/** How long after its planned end a request of the run may still arrive, in seconds. */
const lateSeconds = 60;

/**
 * Notes the labels that a run will apply in the journal, so that `conformance cleanup` can take them off however the run ends.
 * @param file the target file
 * @returns what removes them from the journal at the end, if the run surely has undone them
 */
export async function noteLabels(
  { file: { labels }, target, traffic }: Pick<PreparedRun, 'file' | 'target' | 'traffic'>,
  file: string,
  folder: string = defaultJournalFolder,
): Promise<(report: Pick<LoadReport, 'outcome'>) => Promise<void>> {
  if (labels === undefined) return async () => {};
  const journal = fileJournal(folder, target.baseUrl);
  const until = Date.now() + (traffic.seconds + lateSeconds) * 1000;
  const changes = labels.records.flatMap(({ apply, ids }) => {
    const { holder } = labelWriteOf(apply.operationId, ids) ?? {};
    return holder ? [{ tenant: target.tenants[0]?.name ?? '', label: labels.label.id, until, holder }] : [];
  });
  for (const change of changes) await journal.borrowed(change);
  return async ({ outcome }) => {
    if (outcome === 'keeps') for (const change of changes) await journal.returned(change);
    else {
      const cleanup = commandLine([...ownCommand(), 'conformance', 'cleanup', '--target', file]);
      process.stderr.write(`The run may have left its label on records. Undo with: ${cleanup}\n`);
    }
  };
}
