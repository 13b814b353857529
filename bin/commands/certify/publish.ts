import type { WantedFile } from '../../../conformance/reports/report-files.ts';
import type { ClientReportFormat } from '../../certify/report/client-formats.ts';
import type { ClientReport } from '../../certify/report/client-report-schema.ts';

interface PublishFlags {
  readonly json?: boolean;
  readonly report: readonly WantedFile<ClientReportFormat>[];
}

/** Writes the reports that were asked for and prints the verdict. */
export async function publish(report: ClientReport, { json, report: files }: PublishFlags): Promise<void> {
  const [{ clientFormats }, { clientTextReport }, { paintFor }, { writeAll }] = await Promise.all([
    import('../../certify/report/client-formats.ts'),
    import('../../certify/report/text.ts'),
    import('../../../conformance/reports/console.ts'),
    import('../../../conformance/reports/report-files.ts'),
  ]);
  await writeAll(report, files, clientFormats);
  process.stdout.write(json ? clientFormats.json(report) : clientTextReport(report, paintFor(process.stdout)));
  process.exitCode = report.exitCode;
}
