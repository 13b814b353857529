import { defaultJournalFolder } from '../../../conformance/index.ts';
import { fileJournal } from '../../../conformance/journal/file-journal.ts';
import type { Borrowed } from '../../../conformance/journal/write-journal.ts';
import { labelWork } from '../../../load/plan/label-objects.ts';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import type { PreparedRun } from '../../../load/run/prepare-run.ts';

/** Seconds beyond the planned end until which a request may still arrive. */
const lateSeconds = 60;

/**
 * Runs a scenario with what it may leave behind in the journal of writes first, so that `conformance cleanup` finds it however the
 * run ends. What a run has returned for certain, which only one without any doubt has, leaves the journal again.
 */
export async function journaled(
  { plan, target, traffic }: PreparedRun,
  keys: readonly string[],
  run: () => Promise<LoadReport>,
  folder: string = defaultJournalFolder,
): Promise<LoadReport> {
  const [tenant] = target.tenants;
  if (plan.name !== 'labels' || tenant === undefined) return run();
  const { label, objects } = labelWork(target, keys);
  const until = Date.now() + (traffic.seconds + lateSeconds) * 1000;
  const debts = objects.map(({ name }): Borrowed => {
    const common = { tenant: tenant.name, label: label.id, until };
    const { client = '', site = '' } = tenant.clientSite ?? {};
    if (name === 'conversation')
      return { ...common, holder: { kind: 'conversation', id: tenant.conversations?.open ?? '' } };
    if (name === 'site') return { ...common, holder: { kind: 'site', id: tenant.sites?.current ?? '' } };
    return { ...common, holder: { kind: 'link', clientId: client, siteId: site } };
  });
  const journal = fileJournal(folder, target.baseUrl);
  for (const debt of debts) await journal.borrowed(debt);
  const report = await run();
  if (report.outcome === 'keeps') for (const debt of debts) await journal.returned(debt);
  else process.stderr.write('The label may have been left on: partnerkit conformance cleanup takes it off.\n');
  return report;
}
