import { sarifReport } from '../../../conformance/reports/foreign/sarif.ts';
import type { ClientReport } from './client-report-schema.ts';
import { clientHtmlReport } from './html.ts';
import { clientJunitReport } from './junit.ts';
import { clientMarkdownReport } from './markdown.ts';

/** Every kind of report on a client: its name for `--report`, and the function that writes it. */
export const clientFormats = {
  html: clientHtmlReport,
  junit: clientJunitReport,
  sarif: sarifReport,
  markdown: clientMarkdownReport,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
} as const satisfies Readonly<Record<string, (report: ClientReport) => string>>;

export type ClientReportFormat = keyof typeof clientFormats;
