import type { Report } from './report-schema.ts';

/** The canonical report. `report.schema.json` describes it, and `conformance diff` compares two of them. */
export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;
