import { defaultJournalFolder } from '../../../conformance/index.ts';
import { fileJournal } from '../../../conformance/journal/file-journal.ts';
import type { Borrowed } from '../../../conformance/journal/write-journal.ts';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import type { PreparedRun } from '../../../load/run/prepare-run.ts';
import type { LabelledRecord } from '../../../load/run-file.ts';
import { ownCommand } from '../../../spec/package-facts.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';

/** How long after its planned end a request of the run may still arrive, in seconds. */
const lateSeconds = 60;

/**
 * The journal of the labels that a run applies, so that `conformance cleanup` can take them off however the run ends.
 * @param file the target file
 */
export function labelChanges(file: string, folder: string = defaultJournalFolder) {
  let changes: readonly Borrowed[] = [];
  let journal: ReturnType<typeof fileJournal> | undefined;
  return {
    /** Writes the changes before the run begins. */
    async begin({
      file: { labels },
      target,
      traffic,
    }: Pick<PreparedRun, 'file' | 'target' | 'traffic'>): Promise<void> {
      const [tenant] = target.tenants;
      if (labels === undefined || tenant === undefined) return;
      journal = fileJournal(folder, target.baseUrl);
      const until = Date.now() + (traffic.seconds + lateSeconds) * 1000;
      const { client: clientId = '', site: siteId = '' } = tenant.clientSite ?? {};
      const holders: Readonly<Record<LabelledRecord['name'], Extract<Borrowed, { holder: unknown }>['holder']>> = {
        conversation: { kind: 'conversation', id: tenant.conversations?.open ?? '' },
        site: { kind: 'site', id: tenant.sites?.current ?? '' },
        'client-site link': { kind: 'link', clientId, siteId },
      };
      changes = labels.records.map(({ name }) => ({
        tenant: tenant.name,
        label: labels.label.id,
        until,
        holder: holders[name],
      }));
      for (const change of changes) await journal.borrowed(change);
    },
    /** Removes the changes from the journal if the run surely has undone them. */
    async end({ outcome }: Pick<LoadReport, 'outcome'>): Promise<void> {
      if (journal === undefined) return;
      if (outcome === 'keeps') for (const change of changes) await journal.returned(change);
      else {
        const cleanup = commandLine([...ownCommand(), 'conformance', 'cleanup', '--target', file]);
        process.stderr.write(`The run may have left its label on records. Undo with: ${cleanup}\n`);
      }
    },
  };
}
