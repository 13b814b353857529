import { badgeReport } from './badge.ts';
import { ctrfReport } from './ctrf.ts';
import { htmlReport } from './html/html-report.ts';
import { httpReport } from './http.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { Report } from './report-schema.ts';
import { sarifReport } from './sarif.ts';

/** Every kind of report file: its name for `--report`, and the function that writes it for a path. */
export const formats = {
  html: htmlReport,
  junit: junitReport,
  ctrf: ctrfReport,
  sarif: sarifReport,
  markdown: markdownReport,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  http: httpReport,
  badge: badgeReport,
} as const satisfies Readonly<Record<string, (report: Report, path?: string) => string>>;

/** The name of a kind of report file. */
export type ReportFormat = keyof typeof formats;

export const formatNames = Object.keys(formats) as ReportFormat[];
