import type { ClientReport, ClientReportFormat } from '../../../conformance/certification/index.ts';
import type { WantedFile } from '../../../conformance/reports/report-files.ts';

interface PublishFlags {
  readonly json?: boolean;
  readonly report: readonly WantedFile<ClientReportFormat>[];
}

/** Writes the reports that were asked for and prints the verdict. */
export async function publish(report: ClientReport, { json, report: files }: PublishFlags): Promise<void> {
  const [{ clientFormats, clientTextReport }, { paintFor }, { writeAll }] = await Promise.all([
    import('../../../conformance/certification/index.ts'),
    import('../../../conformance/reports/console.ts'),
    import('../../../conformance/reports/report-files.ts'),
  ]);
  await writeAll(report, files, clientFormats);
  process.stdout.write(json ? clientFormats.json(report) : clientTextReport(report, paintFor(process.stdout)));
  process.exitCode = report.exitCode;
}
